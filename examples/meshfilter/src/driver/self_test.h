#pragma once

#include <string>

namespace mesh {

/// Runs a few thousand requests of each line of a golden file and compares the checksums:
///
///     run CONFIG MIX REQUESTS CHECKSUM
///
/// with paths relative to the working directory. Returns 0 if all agree, else 1 and prints each
/// difference; on the way it prints the file as it would have to be.
int runSelfTest(const std::string& goldenPath);

}  // namespace mesh
