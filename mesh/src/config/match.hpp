// Conditions on requests, as routes and filters have them.
#pragma once

#include "config/value.hpp"
#include "route/match.hpp"

namespace hone::mesh::config {

// Reads a condition on one text: the text itself, or a map of exact, prefix, suffix or regex.
TextMatch read_text_match(const Value& value);

// Reads the key match of a section. Without it, all requests match.
RequestMatch read_match(const Section& section);

}  // namespace hone::mesh::config
