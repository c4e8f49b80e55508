//! Time in libraries that turn objects into bytes and back.

use super::{Rule, Saves, source};
use crate::finding::{Confidence, Finding};
use crate::subject::{Inspected, Where};

const FUNCTIONS: &[&str] = &[
    "google::protobuf::*",
    "rapidjson::*",
    "nlohmann::*",
    "serde_json::*",
    "<serde_json*",
    "encoding/json.*",
    "encoding/xml.*",
    "encoding/gob.*",
    "msgpack::*",
    "boost::archive::*",
    "boost::property_tree::*",
    "cereal::*",
    "tinyxml2::*",
    "xmlParse*",
    "cJSON_*",
    "json_object_*",
    "yajl_*",
];

pub(super) const RULE: Rule = Rule {
    name: "serialisation",
    title: "Much time goes into serialisation",
    needs: &[],
    threshold: 0.1,
    source: source::TAX,
    factor: 2.0,
    factor_max: 20.0,
    assumption: "with a faster parser or format",
    saves: Saves::Calls,
    confidence: Confidence::Medium,
    levers: &["thinlto", "pgo"],
    change: "Parse with a library made for speed (simdjson, upb with an arena), parse once, and pass on what was parsed.",
    not_when: "The data come and go in this form and each once: then only the library can change.",
    look,
};

fn look(rule: &Rule, inspected: &Inspected) -> Option<Finding> {
    rule.of_group(&inspected.named(Where::Anywhere, FUNCTIONS))
}
