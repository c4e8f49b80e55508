//go:build !linux

package tune

import "time"

// hostFiles returns no files: only Linux has control groups.
func hostFiles() files { return files{} }

// cpuTime returns 0: it is not needed where there are no quotas.
func cpuTime() time.Duration { return 0 }
