//! Documents that are wrong in one place each.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::document::{Document, Exchange, Operation};

pub(super) struct Planted {
    pub(super) what: String,
    json: Value,
    /// The operations whose answers it is about.
    operations: BTreeSet<String>,
}

impl Planted {
    pub(super) fn is_noticed(&self, exchanges: &[Exchange]) -> bool {
        let document = Document::of(self.json.clone());
        let is_about = |exchange: &&Exchange| self.operations.contains(&exchange.operation);
        exchanges.iter().filter(is_about).any(|exchange| !document.faults(exchange).is_empty())
    }
}

/// Each answer that is listed left out, each header of a success left out, and each member of an
/// answer left out and with another value.
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
        let mut references = BTreeSet::new();
        responses.values().for_each(|one| refer(document, &one["content"], &mut references));
        for reference in references {
            schemas.entry(reference).or_default().insert(id.clone());
        }
    }
    for (reference, operations) in schemas {
        let place = reference.strip_prefix('#').unwrap();
        for (object, name) in members(document.json.pointer(place).unwrap(), place) {
            plant(format!("{object} {name} left out"), &operations, &|json| {
                remove(json.pointer_mut(&object).unwrap(), &name);
            });
            plant(format!("{object} {name} changed"), &operations, &|json| {
                json.pointer_mut(&object).unwrap()[&name] = json!({ "const": "planted" });
            });
        }
    }
    planted
}

fn remove(object: &mut Value, name: &str) {
    object.as_object_mut().unwrap().remove(name).unwrap();
}

/// Everything that a part of the document refers to.
fn refer(document: &Document, part: &Value, found: &mut BTreeSet<String>) {
    if let Some(reference) = part["$ref"].as_str()
        && found.insert(reference.to_owned())
    {
        refer(document, document.resolve(part), found);
    }
    parts(part).for_each(|(_, part)| refer(document, part, found));
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

/// What a part of the document consists of, each under its name or number.
fn parts(part: &Value) -> impl Iterator<Item = (String, &Value)> {
    let members = part.as_object().into_iter().flatten();
    let items = part.as_array().into_iter().flatten().enumerate();
    members
        .map(|(name, part)| (name.clone(), part))
        .chain(items.map(|(number, part)| (number.to_string(), part)))
}
