//! Documents that are wrong in one place each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::document::{Document, Exchange, Operation};

pub(super) struct Planted {
    what: String,
    json: Value,
    /// The operations whose answers it is about.
    operations: BTreeSet<String>,
}

impl Planted {
    /// What is wrong, if no answer shows it.
    pub(super) fn overlooked(self, exchanges: &[Exchange]) -> Option<String> {
        let document = Document::of(self.json);
        let is_about = |exchange: &&Exchange| self.operations.contains(&exchange.operation);
        let mut about = exchanges.iter().filter(is_about);
        about.all(|exchange| document.faults(exchange).is_empty()).then_some(self.what)
    }
}

/// Without one of the answers, one of the headers of a success, or one of the words or members of an
/// answer; or with another value of a member.
pub(super) fn all(document: &Document) -> Vec<Planted> {
    let mut planted = Vec::new();
    let mut plant = |what: String, operations: &BTreeSet<String>, change: &dyn Fn(&mut Value)| {
        let (mut json, operations) = (document.json.clone(), operations.clone());
        change(&mut json);
        planted.push(Planted { what, json, operations });
    };
    let mut schemas: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Operation { id, method, template, responses, .. } in &document.operations {
        let (method, own) = (method.as_str().to_lowercase(), [id.clone()].into());
        for status in responses.keys().map(u16::to_string) {
            plant(format!("{id} {status}"), &own, &|json| {
                remove(&mut json["paths"][template][&method]["responses"], &status);
            });
        }
        for name in responses[&200]["headers"].as_object().unwrap().keys() {
            plant(format!("{id} {name}"), &own, &|json| {
                remove(&mut json["paths"][template][&method]["responses"]["200"]["headers"], name);
            });
        }
        for name in responses.values().flat_map(|one| document.schemas_behind(&one["content"])) {
            schemas.entry(name).or_default().insert(id.clone());
        }
    }
    for (schema, operations) in schemas {
        let place = format!("/components/schemas/{schema}");
        for (object, name) in members(document.schema(&schema), &place) {
            plant(format!("{object} {name} left out"), &operations, &|json| {
                remove(json.pointer_mut(&object).unwrap(), &name);
            });
            plant(format!("{object} {name} changed"), &operations, &|json| {
                json.pointer_mut(&object).unwrap()[&name] = json!({ "const": "planted" });
            });
        }
        for (words, at) in words(document.schema(&schema), &place) {
            let word = document.json.pointer(&words).unwrap()[at].clone();
            plant(format!("{words} without {word}"), &operations, &|json| {
                json.pointer_mut(&words).unwrap().as_array_mut().unwrap().remove(at);
            });
        }
    }
    planted
}

/// Too much and too little asked of a request: what, and the document with the one path that it is
/// about.
pub(super) fn in_requests(document: &Document) -> Vec<(String, Document)> {
    let plant = |template: &str, pointer: &str, value: Value| {
        let mut json = document.json.clone();
        let described = json.pointer_mut(pointer).unwrap();
        match described.as_array_mut() {
            Some(list) => list.push(value.clone()),
            None => *described = value.clone(),
        }
        json["paths"] = json!({ template: json["paths"][template] });
        (format!("{value} in {pointer}"), Document::of(json))
    };
    let schemas = "/components/schemas";
    let (v2, f1) = ("/v2/submissions", "/f1/submissions");
    vec![
        plant(v2, &format!("{schemas}/FormV2/required"), json!("userid")),
        plant(v2, &format!("{schemas}/FormV2/required/2"), json!("id_number")),
        plant(v2, &format!("{schemas}/FormV2/then/required/0"), json!("id_number")),
        plant(v2, &format!("{schemas}/Gender/enum"), json!("other")),
        plant("/v2/amlonly", &format!("{schemas}/UserId/maxLength"), json!(127)),
        plant("/v2/amlonly", &format!("{schemas}/UserId/maxLength"), json!(129)),
        plant(f1, &format!("{schemas}/Wallet/pattern"), json!("^[!-~ ]+$")),
        plant(f1, &format!("{schemas}/FormF1/properties/ip_address/format"), json!("date")),
        plant("/v2/submissions/upload", &format!("{schemas}/KindV2/enum"), json!("other")),
        plant(
            "/review/v1/submissions",
            "/paths/~1review~1v1~1submissions/get/parameters/5/schema/maximum",
            json!(201),
        ),
    ]
}

fn remove(object: &mut Value, name: &str) {
    object.as_object_mut().unwrap().remove(name).unwrap();
}

/// Each member that a schema has: where its object is described, and its name.
fn members(schema: &Value, place: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, part) in parts(schema) {
        let place = format!("{place}/{name}");
        found.extend(members(part, &place));
        if name == "properties" {
            found.extend(parts(part).map(|(name, _)| (place.clone(), name)));
        }
    }
    found
}

/// Each word of each short list that a schema has: where the list is, and the word's number.
fn words(schema: &Value, place: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (name, part) in parts(schema) {
        let place = format!("{place}/{name}");
        found.extend(words(part, &place));
        let count = part.as_array().map_or(0, Vec::len);
        if name == "enum" && count < 100 {
            found.extend((0..count).map(|at| (place.clone(), at)));
        }
    }
    found
}

/// What a part of the document consists of, each under its name or number.
fn parts(part: &Value) -> impl Iterator<Item = (String, &Value)> {
    let members = part.as_object().into_iter().flatten();
    let items = part.as_array().into_iter().flatten().enumerate();
    members
        .map(|(name, part)| (name.clone(), part))
        .chain(items.map(|(number, part)| (number.to_string(), part)))
}
