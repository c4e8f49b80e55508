#include "filter/header_change.hpp"

namespace hone::mesh {

void FieldChanges::apply(Headers& headers, Arena& arena) const {
  for (const std::string& name : remove) headers.remove(name);
  for (const auto& [name, value] : set) headers.set(arena, {name, value, id_of(name)});
  for (const auto& [name, value] : add) headers.add(arena, {name, value, id_of(name)});
}

Verdict HeaderChange::on_request(Passage& passage) const {
  request_.apply(passage.request.headers, passage.arena);
  return Verdict::kNext;
}

void HeaderChange::on_response(Passage& passage, Head& head) const {
  response_.apply(head.headers, passage.arena);
}

}  // namespace hone::mesh
