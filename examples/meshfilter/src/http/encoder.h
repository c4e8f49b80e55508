#pragma once

#include <string>
#include <string_view>

#include "http/header_map.h"

namespace mesh {

std::string_view reasonPhrase(unsigned status);

/// Appends the request line and headers as HTTP/1.1. The map must hold method, path and authority.
void encodeRequestHead(const HeaderMap& headers, std::string& out);

/// Appends the status line and headers as HTTP/1.1.
void encodeResponseHead(unsigned status, const HeaderMap& headers, std::string& out);

}  // namespace mesh
