package tune

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

const (
	v2Mounts = "29 24 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"
	v1Mounts = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n" +
		"32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n" +
		"35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
	// none is the number that version 1 writes where there is no limit.
	none = "9223372036854771712\n"
)

// host makes files from names, without the slash at their front, and contents.
func host(named map[string]string) files {
	all := fstest.MapFS{}
	for name, content := range named {
		all[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return files{all}
}

func TestGroupsAreFoundWhereTheirTreeIsMounted(t *testing.T) {
	for _, c := range []struct {
		name, membership, mounts string
		isV2                     bool
		want                     []string
	}{
		{"version 2", "0::/a.slice/b.scope\n", v2Mounts, true, []string{"sys/fs/cgroup/a.slice/b.scope", "sys/fs/cgroup/a.slice", "sys/fs/cgroup"}},
		{"version 2 at the top", "0::/\n", v2Mounts, true, []string{"sys/fs/cgroup"}},
		{"version 1 beside version 2", "4:memory:/a\n1:cpu,cpuacct:/\n0::/x\n", v1Mounts, false,
			[]string{"sys/fs/cgroup/memory/a", "sys/fs/cgroup/memory"}},
		{"a controller that only version 2 has", "1:cpu:/a\n0::/x\n", v1Mounts, true, []string{"sys/fs/cgroup/unified/x", "sys/fs/cgroup/unified"}},
		{"a container that sees its own part of the tree", "4:memory:/docker/1f/job\n", "35 31 0:32 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n",
			false, []string{"sys/fs/cgroup/memory/job", "sys/fs/cgroup/memory"}},
		{"a mount of another part comes first", "0::/pod/a\n", "9 1 0:26 /po /other rw - cgroup2 cgroup2 rw\n" + v2Mounts, true,
			[]string{"sys/fs/cgroup/pod/a", "sys/fs/cgroup/pod", "sys/fs/cgroup"}},
		{"names with colons and spaces", "0::/a:b c\n", "29 24 0:26 / /sys/fs/my\\040cgroup rw - cgroup2 cgroup2 rw\n", true,
			[]string{"sys/fs/my cgroup/a:b c", "sys/fs/my cgroup"}},
		{"nothing is mounted", "0::/a\n", "", false, nil},
		{"no group", "", v2Mounts, false, nil},
		{"garbage", "0:\n::::\n\x00\n7\n4:memory\n", "x - y\n - \n\n1 2 3 4 5 - cgroup2\n\\9 \\ \\0 / \\4 - cgroup2 a b\n", false, nil},
	} {
		got, err := findGroups("memory", c.membership, c.mounts)
		if err != nil || !slices.Equal(got.dirs, c.want) || got.isV2 != c.isV2 {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestAGroupThatNoMountShowsIsAnErrorThatNamesIt(t *testing.T) {
	for _, membership := range []string{"0::/../other\n", "0::/podium/a\n"} {
		_, err := findGroups("cpu", membership, "29 24 0:26 /pod /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n")
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(membership[3:])) {
			t.Errorf("%q: %v", membership, err)
		}
	}
}

func TestDeepTreesAreReadToALimit(t *testing.T) {
	got, err := findGroups("memory", "0::/"+strings.Repeat("a/", 5000)+"b\n", v2Mounts)
	if err != nil || len(got.dirs) != maxGroups {
		t.Fatal(len(got.dirs), err)
	}
}

func TestAFileWithoutEndIsAnError(t *testing.T) {
	long := host(map[string]string{"proc/self/cgroup": strings.Repeat("x", maxFileBytes+1)})
	if _, err := newMemoryReader(long).limits(); err == nil || !strings.Contains(err.Error(), "/proc/self/cgroup") {
		t.Fatal(err)
	}
}

func TestAProcessThatIsMovedIsFollowed(t *testing.T) {
	named := map[string]string{
		"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2Mounts,
		"sys/fs/cgroup/a/memory.max": "1000\n", "sys/fs/cgroup/a/memory.current": "1\n",
		"sys/fs/cgroup/b/memory.max": "2000\n", "sys/fs/cgroup/b/memory.current": "1\n",
	}
	reader := newMemoryReader(host(named))
	before, _ := reader.limits()
	named["proc/self/cgroup"] = "0::/b\n"
	reader.finder.files = host(named)
	after, err := reader.limits()
	if err != nil || len(before) != 1 || before[0].bytes != 1000 || len(after) != 1 || after[0].bytes != 2000 {
		t.Fatal(before, after, err)
	}
}

func TestLimitsOfMemoryAreThoseOfAllGroupsAbove(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []memoryLimit
		fails string
	}{
		{"version 2, nested, with a soft limit", map[string]string{
			"proc/self/cgroup": "0::/pod/a\n", "proc/self/mountinfo": v2Mounts,
			"sys/fs/cgroup/pod/a/memory.max": "1000\n", "sys/fs/cgroup/pod/a/memory.high": "max\n", "sys/fs/cgroup/pod/a/memory.current": "500\n",
			"sys/fs/cgroup/pod/a/memory.stat": "anon 400\ninactive_file 100\nactive_file 50\n",
			"sys/fs/cgroup/pod/memory.max":    "2000\n", "sys/fs/cgroup/pod/memory.high": "1500\n", "sys/fs/cgroup/pod/memory.current": "1400\n",
		}, []memoryLimit{{"/sys/fs/cgroup/pod/a/memory.max", 1000, 400}, {"/sys/fs/cgroup/pod/memory.high", 1500, 1400}}, ""},
		{"version 2 without a limit", map[string]string{
			"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2Mounts, "sys/fs/cgroup/a/memory.max": "max\n", "sys/fs/cgroup/a/memory.high": "max\n",
		}, nil, ""},
		{"version 1, nested", map[string]string{
			"proc/self/cgroup": "4:memory:/a/b\n", "proc/self/mountinfo": v1Mounts,
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": none,
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes":   "3000\n", "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "900\n",
			"sys/fs/cgroup/memory/a/memory.stat":         "inactive_file 1\ntotal_inactive_file 300\nhierarchical_memory_limit 3000\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": none,
		}, []memoryLimit{{"/sys/fs/cgroup/memory/a/memory.limit_in_bytes", 3000, 600}}, ""},
		{"version 1 with a limit above what is mounted", map[string]string{
			"proc/self/cgroup": "4:memory:/\n", "proc/self/mountinfo": v1Mounts,
			"sys/fs/cgroup/memory/memory.limit_in_bytes": none, "sys/fs/cgroup/memory/memory.usage_in_bytes": "70\n",
			"sys/fs/cgroup/memory/memory.stat": "hierarchical_memory_limit 5000\ntotal_inactive_file 90\n",
		}, []memoryLimit{{"/sys/fs/cgroup/memory/memory.stat", 5000, 0}}, ""},
		{"garbage in one of two", map[string]string{
			"proc/self/cgroup": "0::/a/b\n", "proc/self/mountinfo": v2Mounts, "sys/fs/cgroup/a/b/memory.max": "many\n",
			"sys/fs/cgroup/a/memory.max": "10\n", "sys/fs/cgroup/a/memory.current": "4\n",
		}, []memoryLimit{{"/sys/fs/cgroup/a/memory.max", 10, 4}}, `/sys/fs/cgroup/a/b/memory.max: "many" is no number`},
		{"a limit whose use is unknown", map[string]string{
			"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2Mounts, "sys/fs/cgroup/a/memory.max": "10\n", "sys/fs/cgroup/a/memory.current": "-4\n",
		}, nil, "/sys/fs/cgroup/a/memory.current"},
		{"no /proc", map[string]string{}, nil, "proc/self/cgroup"},
	} {
		got, err := newMemoryReader(host(c.files)).limits()
		if !slices.Equal(got, c.want) || (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

func TestWhereThereAreNoFilesThereAreNoLimits(t *testing.T) {
	limits, err := newMemoryReader(files{}).limits()
	quotas, err2 := newQuotaReader(files{}).quotas()
	if len(limits) > 0 || len(quotas) > 0 || err != nil || err2 != nil {
		t.Fatal(limits, quotas, err, err2)
	}
}

func TestQuotasAreThoseOfAllGroupsAbove(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []quota
		fails string
	}{
		{"version 2, nested", map[string]string{
			"proc/self/cgroup": "0::/pod/a\n", "proc/self/mountinfo": v2Mounts,
			"sys/fs/cgroup/pod/a/cpu.max": "150000 100000\n", "sys/fs/cgroup/pod/a/cpu.stat": "usage_usec 9\nnr_periods 10\nnr_throttled 3\nthrottled_usec 2000\n",
			"sys/fs/cgroup/pod/cpu.max": "50000 20000\n",
		}, []quota{{"/sys/fs/cgroup/pod/a/cpu.max", 1.5, 10, 3, 2 * time.Millisecond}, {"/sys/fs/cgroup/pod/cpu.max", 2.5, 0, 0, 0}}, ""},
		{"version 2 without a quota", map[string]string{"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2Mounts, "sys/fs/cgroup/a/cpu.max": "max 100000\n"}, nil, ""},
		{"version 1, nested", map[string]string{
			"proc/self/cgroup": "2:cpu,cpuacct:/a/b\n", "proc/self/mountinfo": v1Mounts,
			"sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us": "100000\n",
			"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "25000\n", "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "50000\n",
			"sys/fs/cgroup/cpu,cpuacct/a/cpu.stat": "nr_periods 7\nnr_throttled 2\nthrottled_time 5000000\n",
		}, []quota{{"/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", 0.5, 7, 2, 5 * time.Millisecond}}, ""},
		{"no period", map[string]string{"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2Mounts, "sys/fs/cgroup/a/cpu.max": "150000\n"}, nil, "QUOTA PERIOD"},
		{"a period of nothing", map[string]string{"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2Mounts, "sys/fs/cgroup/a/cpu.max": "150000 0\n"}, nil, "no quota"},
		{"garbage", map[string]string{"proc/self/cgroup": "0::/a\n", "proc/self/mountinfo": v2Mounts, "sys/fs/cgroup/a/cpu.max": "\xff\xfe"}, nil, "cpu.max"},
		{"version 1 without its period", map[string]string{"proc/self/cgroup": "2:cpu:/a\n", "proc/self/mountinfo": v1Mounts,
			"sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "25000\n"}, nil, ""},
	} {
		got, err := newQuotaReader(host(c.files)).quotas()
		if !slices.Equal(got, c.want) || (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

// The files of this host must be readable, whatever they contain.
func TestThisHostsGroupsAreRead(t *testing.T) {
	if _, err := newMemoryReader(hostFiles()).limits(); err != nil {
		t.Skip("skipped: ", err)
	}
	if _, err := newQuotaReader(hostFiles()).quotas(); err != nil {
		t.Skip("skipped: ", err)
	}
	if memory := newMemoryReader(hostFiles()); hostFiles().root != nil && memory.resident() == 0 {
		t.Error("this process has no memory")
	}
}

func FuzzFindGroups(f *testing.F) {
	f.Add("4:memory:/a/b\n0::/x\n", v1Mounts)
	f.Add("0::/pod/a\n", v2Mounts)
	f.Add("0::/../a\n", `9 1 0:26 /\057 \040\0 rw - cgroup2 a b`)
	f.Fuzz(func(t *testing.T, membership, mounts string) {
		for _, controller := range []string{"memory", "cpu"} {
			found, err := findGroups(controller, membership, mounts)
			if err == nil && len(found.dirs) > maxGroups {
				t.Error(len(found.dirs))
			}
			for _, dir := range found.dirs {
				if strings.HasPrefix(dir, "/") || strings.Contains("/"+dir+"/", "/../") {
					t.Errorf("%q leaves the files", dir)
				}
			}
		}
	})
}
