#include "wire/http1/parser.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "http/target.hpp"

namespace hone::mesh::http1 {
namespace {

// Nobody uses the extensions of chunks, and a message made of them alone would never end.
constexpr std::size_t kMostExtensionBytes = 16 * 1024;

// True if a field is about this connection alone, or about the message's framing, which the next wire makes itself.
bool is_of_one_hop(HeaderId id) {
  switch (id) {
    case HeaderId::kConnection:
    case HeaderId::kContentLength:
    case HeaderId::kKeepAlive:
    case HeaderId::kProxyConnection:
    case HeaderId::kTe:
    case HeaderId::kTrailer:
    case HeaderId::kTransferEncoding:
    case HeaderId::kUpgrade:
      return true;
    default:
      return false;
  }
}

void extend(std::string_view& whole, std::string_view part) {
  whole = whole.data() == nullptr ? part : std::string_view(whole.data(), whole.size() + part.size());
}

void move(std::string_view& view, std::ptrdiff_t by) {
  if (view.data() != nullptr) view = {view.data() + by, view.size()};
}

}  // namespace

Parser::Parser(Side side, std::size_t most_fields, Arena& arena, Delegate<void(std::string_view)> on_body)
    : side_(side), most_fields_(most_fields), arena_(arena), on_body_(on_body) {
  llhttp_init(&llhttp_, side == Side::kRequests ? HTTP_REQUEST : HTTP_RESPONSE, &settings());
  llhttp_.data = this;
}

const llhttp_settings_t& Parser::settings() {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t made;
    llhttp_settings_init(&made);
    made.on_message_begin = [](llhttp_t* parser) {
      of(parser).has_begun_ = of(parser).is_in_fields_ = true;
      return 0;
    };
    // llhttp also knows RTSP and ICE.
    made.on_protocol = [](llhttp_t* parser, const char* at, size_t size) { return of(parser).on_protocol({at, size}); };
    made.on_url = [](llhttp_t* parser, const char* at, size_t size) { return of(parser).on_target({at, size}); };
    made.on_url_complete = [](llhttp_t* parser) {
      of(parser).is_target_complete_ = true;
      return 0;
    };
    made.on_header_field = [](llhttp_t* parser, const char* at, size_t size) { return of(parser).on_name({at, size}); };
    made.on_header_field_complete = [](llhttp_t* parser) { return of(parser).on_name_complete(); };
    made.on_header_value = [](llhttp_t* parser, const char* at, size_t size) {
      return of(parser).on_value({at, size});
    };
    made.on_header_value_complete = [](llhttp_t* parser) { return of(parser).on_value_complete(); };
    made.on_headers_complete = [](llhttp_t* parser) { return of(parser).on_head_complete(); };
    made.on_body = [](llhttp_t* parser, const char* at, size_t size) {
      of(parser).on_body_({at, size});
      return 0;
    };
    made.on_chunk_extension_name = [](llhttp_t* parser, const char*, size_t size) {
      return of(parser).on_extension(size);
    };
    made.on_chunk_extension_value = made.on_chunk_extension_name;
    made.on_chunk_header = [](llhttp_t* parser) {
      // After the last chunk come trailers, whose bytes have to stay together.
      if (parser->content_length == 0) of(parser).is_in_fields_ = true;
      return 0;
    };
    made.on_message_complete = [](llhttp_t* parser) {
      of(parser).has_ended_ = true;
      of(parser).is_in_fields_ = false;
      return static_cast<int>(HPE_PAUSED);
    };
    return made;
  }();
  return settings;
}

void Parser::begin(bool is_reply_to_head, bool may_upgrade) {
  llhttp_reset(&llhttp_);
  head_ = {};
  trailers_ = {};
  target_ = {};
  field_ = {};
  fault_ = {};
  extension_bytes_ = 0;
  is_reply_to_head_ = is_reply_to_head;
  may_upgrade_ = may_upgrade;
  is_in_fields_ = is_target_complete_ = has_protocol_ = has_begun_ = has_head_ = has_ended_ = false;
  keeps_alive_ = expects_continue_ = false;
}

Parser::Parsed Parser::parse(std::string_view bytes) {
  const bool had_head = has_head_;
  const llhttp_errno_t error = llhttp_execute(&llhttp_, bytes.data(), bytes.size());
  if (error == HPE_OK) return {Step::kMore, bytes.size()};
  const std::size_t taken = static_cast<std::size_t>(llhttp_get_error_pos(&llhttp_) - bytes.data());
  if (error != HPE_PAUSED) return {refused_by_llhttp(error), taken};
  llhttp_resume(&llhttp_);
  if (has_ended_) return {Step::kEnd, taken};
  return {has_head_ && !had_head ? Step::kHead : Step::kMore, taken};
}

Step Parser::finish() {
  const llhttp_errno_t error = llhttp_finish(&llhttp_);
  if (has_ended_) return Step::kEnd;
  return error == HPE_OK || error == HPE_PAUSED ? Step::kMore : refused_by_llhttp(error);
}

void Parser::moved(std::ptrdiff_t by) {
  if (!is_in_fields_) return;
  if (!has_head_) move(target_, by);
  for (Header& header : fields().items()) {
    // Known names are constants.
    if (header.id == HeaderId::kOther) move(header.name, by);
    move(header.value, by);
  }
  move(field_.name, by);
  move(field_.value, by);
}

// llhttp also knows RTSP and ICE, and takes several spaces for one.
int Parser::on_protocol(std::string_view part) {
  if (side_ == Side::kResponses || part.empty()) return 0;
  const bool is_first = !std::exchange(has_protocol_, true);
  const bool is_good = is_first ? part.data() == target_.data() + target_.size() + 1 && part.front() == 'H'
                                : std::string_view("TP").find(part.front()) != std::string_view::npos;
  if (is_good) return 0;
  refuse(400, "protocol");
  return HPE_USER;
}

int Parser::on_target(std::string_view part) {
  extend(target_, part);
  return 0;
}

int Parser::on_name(std::string_view part) {
  extend(field_.name, part);
  return 0;
}

int Parser::on_name_complete() {
  if (fields().size() == most_fields_) {
    refuse(431, "fields");
    return HPE_USER;
  }
  // The bytes lie in the caller's buffer, which the parser may change.
  char* const name = const_cast<char*>(field_.name.data());
  for (std::size_t at = 0; at < field_.name.size(); ++at) name[at] = lower(name[at]);
  return 0;
}

int Parser::on_value(std::string_view part) {
  extend(field_.value, part);
  return 0;
}

int Parser::on_value_complete() {
  field_.id = id_of(field_.name);
  if (field_.id != HeaderId::kOther) field_.name = name_of(field_.id);
  field_.value = trimmed(field_.value);
  // Trailers cannot change what the head has decided.
  const bool is_misplaced = has_head_ && (is_of_one_hop(field_.id) || field_.id == HeaderId::kHost);
  if (!is_misplaced) fields().add(arena_, field_);
  field_ = {};
  return 0;
}

int Parser::on_extension(std::size_t bytes) {
  extension_bytes_ += bytes;
  if (extension_bytes_ <= kMostExtensionBytes) return 0;
  refuse(400, "chunk extensions");
  return HPE_USER;
}

bool Parser::refuse(int status, std::string_view detail) {
  fault_ = {side_ == Side::kRequests ? status : 502, detail};
  return false;
}

int Parser::on_head_complete() {
  minor_ = llhttp_get_http_minor(&llhttp_);
  if (llhttp_get_http_major(&llhttp_) != 1 || minor_ > 1) {
    refuse(505, "version");
    return HPE_USER;
  }
  if (side_ == Side::kRequests) {
    head_.method = llhttp_method_name(static_cast<llhttp_method_t>(llhttp_get_method(&llhttp_)));
  } else {
    head_.status = llhttp_get_status_code(&llhttp_);
  }
  const bool is_good = (side_ == Side::kRequests ? check_request() : head_.status >= 100 && head_.status <= 599) &&
                       check_framing() && take_connection();
  if (!is_good) {
    if (fault_.status == 0) refuse(400, "status");
    return HPE_USER;
  }
  // The head shows whether the connection changes its protocol. Upgrades to anything but WebSocket are passed over.
  llhttp_.upgrade = 0;
  has_head_ = true;
  is_in_fields_ = false;
  return HPE_PAUSED;
}

bool Parser::check_request() {
  if (head_.method == "CONNECT") return refuse(501, "method");
  const std::optional<Target> target = parse_target(target_, head_.method, arena_);
  if (!target) return refuse(400, "target");
  head_.path = target->path;
  std::size_t hosts = 0;
  for (const Header& header : head_.headers.items()) {
    if (header.id != HeaderId::kHost) continue;
    ++hosts;
    head_.authority = header.value;
  }
  if (hosts > 1 || (hosts == 0 && minor_ == 1)) return refuse(400, "host");
  if (hosts == 1 && !is_authority(head_.authority) && !head_.authority.empty()) return refuse(400, "host");
  // The authority of the target takes precedence over that of the field.
  if (!target->authority.empty()) head_.authority = target->authority;
  return true;
}

bool Parser::check_framing() {
  const Header* coding = nullptr;
  for (const Header& header : head_.headers.items()) {
    if (header.id != HeaderId::kTransferEncoding) continue;
    if (coding != nullptr) return refuse(400, "transfer-encoding");
    coding = &header;
  }
  const bool is_sized = (llhttp_.flags & F_CONTENT_LENGTH) != 0;
  if (coding != nullptr) {
    if (is_sized || minor_ == 0) return refuse(400, "transfer-encoding");
    if (!equal_ignoring_case(coding->value, "chunked")) return refuse(501, "transfer-encoding");
  }
  const int status = head_.status;
  if (side_ == Side::kResponses && (is_reply_to_head_ || status < 200 || status == 204 || status == 304)) {
    llhttp_.flags |= F_SKIPBODY;
    return status != kSwitching || may_upgrade_ || refuse(502, "upgrade");
  }
  if (coding != nullptr) {
    head_.body.kind = Body::Kind::kStreamed;
  } else if (is_sized) {
    head_.body = {Body::Kind::kSized, llhttp_.content_length};
  } else {
    head_.body.kind = side_ == Side::kRequests ? Body::Kind::kNone : Body::Kind::kStreamed;
  }
  return true;
}

bool Parser::take_connection() {
  // The values of Connection. The fields that they name are removed; a message with more such lists is refused.
  std::array<std::string_view, 4> lists;
  std::size_t count = 0;
  for (const Header& header : head_.headers.items()) {
    if (header.id == HeaderId::kExpect) expects_continue_ = equal_ignoring_case(header.value, "100-continue");
    if (header.id != HeaderId::kConnection) continue;
    if (count == lists.size()) return refuse(400, "connection");
    lists[count++] = header.value;
  }
  const auto names = [&](std::string_view name) {
    return std::any_of(lists.begin(), lists.begin() + count, [&](auto list) { return list_has(list, name); });
  };
  keeps_alive_ = !names("close") && (minor_ == 1 || names("keep-alive"));
  if (minor_ == 1 && names("upgrade") && is_websocket()) head_.upgrade = kWebSocket;
  if (head_.status == kSwitching && head_.upgrade.empty()) return refuse(502, "upgrade");
  // Without a length, only the end of the connection can end the body of a response.
  if (side_ == Side::kResponses && head_.body.kind == Body::Kind::kStreamed && (llhttp_.flags & F_CHUNKED) == 0) {
    keeps_alive_ = false;
  }
  // The length of a body that does not come is kept: it is the length that a GET would have had.
  const bool is_about_length = (llhttp_.flags & F_SKIPBODY) != 0 && head_.status >= 200 && head_.status != 204;
  head_.headers.remove_if([&](const Header& header) {
    if (header.id == HeaderId::kContentLength && is_about_length) return false;
    return is_of_one_hop(header.id) || header.id == HeaderId::kHost || (count > 0 && names(header.name));
  });
  return true;
}

// True if the head asks for WebSocket, or agrees to it, and for nothing else.
bool Parser::is_websocket() const {
  const Header* found = nullptr;
  for (const Header& header : head_.headers.items()) {
    if (header.id != HeaderId::kUpgrade) continue;
    if (found != nullptr) return false;
    found = &header;
  }
  if (found == nullptr || !equal_ignoring_case(found->value, kWebSocket)) return false;
  if (side_ == Side::kResponses) return head_.status == kSwitching;
  return head_.method == "GET" && head_.body.kind == Body::Kind::kNone;
}

const char* Parser::needed() const {
  if (!is_in_fields_) return nullptr;
  if (!has_head_ && target_.data() != nullptr) return target_.data();
  const Headers& parsed = has_head_ ? trailers_ : head_.headers;
  if (!parsed.is_empty()) {
    const Header& first = parsed.items().front();
    return first.id == HeaderId::kOther ? first.name.data() : first.value.data();
  }
  return field_.name.data();
}

Step Parser::refused_by_llhttp(llhttp_errno_t error) {
  if (fault_.status != 0) return Step::kFault;
  switch (error) {
    case HPE_INVALID_VERSION: {
      const bool is_known = std::string_view(llhttp_get_error_reason(&llhttp_)).starts_with("Expected CRLF");
      refuse(is_known ? 400 : 505, "version");
      break;
    }
    case HPE_INVALID_METHOD:
      refuse(400, "method");
      break;
    case HPE_INVALID_URL:
      refuse(400, "target");
      break;
    case HPE_INVALID_CONTENT_LENGTH:
    case HPE_UNEXPECTED_CONTENT_LENGTH:
      refuse(400, "content-length");
      break;
    case HPE_INVALID_TRANSFER_ENCODING:
      refuse(400, "transfer-encoding");
      break;
    case HPE_INVALID_CHUNK_SIZE:
      refuse(400, "chunk");
      break;
    case HPE_INVALID_EOF_STATE:
      refuse(400, "truncated");
      break;
    default:
      // Operators see what an endpoint has done; clients are told no more of their faults.
      refuse(400, side_ == Side::kRequests ? "syntax" : llhttp_get_error_reason(&llhttp_));
      break;
  }
  return Step::kFault;
}

}  // namespace hone::mesh::http1
