//go:build !linux

package tune

import "time"

// hostFiles are none: control groups are Linux'.
func hostFiles() files { return files{} }

// cpuTime is not needed where there are no quotas.
func cpuTime() time.Duration { return 0 }
