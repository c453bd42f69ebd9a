//! `docs/openapi.json`, and what an exchange has that it does not say.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use http::Method;
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::support::*;

pub(super) struct Document {
    pub(super) json: Value,
    pub(super) operations: Vec<Operation>,
    validators: RefCell<HashMap<String, Rc<Validator>>>,
}

/// One method of one path.
pub(super) struct Operation {
    pub(super) id: String,
    pub(super) method: Method,
    pub(super) template: String,
    /// The security scheme, unless everybody may ask.
    pub(super) security: Option<String>,
    pub(super) parameters: Vec<Parameter>,
    /// Media type and schema.
    pub(super) body: Option<(String, Value)>,
    pub(super) responses: BTreeMap<u16, Value>,
}

pub(super) struct Parameter {
    pub(super) name: String,
    /// `path`, `query` or `header`.
    pub(super) place: String,
    pub(super) schema: Value,
}

/// What has to become of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meant {
    /// A success: it is as described, and refers to nothing that may not be there.
    Taken,
    /// Not 400 as `bad_request`: it is as described, and may refer to what is not there.
    WellFormed,
    /// No success: it is not as described, or names what is not there.
    Refused,
    /// 403: it has not the credential that is asked for.
    Forbidden,
    /// 405: the path has no such method.
    OtherMethod,
    /// Anything that is listed.
    Unsaid,
}

/// One request and its answer.
pub(super) struct Exchange {
    /// The operation's id.
    pub(super) operation: String,
    pub(super) asked: String,
    pub(super) meant: Meant,
    pub(super) answer: Answer,
}

impl Document {
    pub(super) fn read() -> Self {
        let text = include_str!("../../../../docs/openapi.json");
        Self::of(serde_json::from_str(text).unwrap())
    }

    pub(super) fn of(json: Value) -> Self {
        let paths = json["paths"].as_object().unwrap();
        let methods = paths.iter().flat_map(|(template, methods)| {
            methods.as_object().unwrap().iter().map(move |operation| (template, operation))
        });
        let operations = methods
            .map(|(template, (method, operation))| {
                let method = method.to_uppercase().parse().unwrap();
                Operation::read(&json, method, template, operation)
            })
            .collect();
        Self { json, operations, validators: RefCell::default() }
    }

    pub(super) fn operation(&self, id: &str) -> &Operation {
        self.operations.iter().find(|operation| operation.id == id).unwrap()
    }

    /// What a schema stands for: itself, or what it refers to.
    pub(super) fn resolve<'s>(&'s self, schema: &'s Value) -> &'s Value {
        resolve(&self.json, schema)
    }

    pub(super) fn is_valid(&self, schema: &Value, value: &Value) -> bool {
        self.validator(schema).is_valid(value)
    }

    pub(super) fn validator(&self, schema: &Value) -> Rc<Validator> {
        let build = || {
            let names = self.schemas_behind(schema).into_iter();
            let schemas: Map<String, Value> =
                names.map(|name| (name.clone(), self.schema(&name).clone())).collect();
            let whole = json!({ "components": { "schemas": schemas }, "allOf": [schema] });
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            Rc::new(options.build(&whole).unwrap())
        };
        let mut validators = self.validators.borrow_mut();
        Rc::clone(validators.entry(schema.to_string()).or_insert_with(build))
    }

    pub(super) fn schema(&self, name: &str) -> &Value {
        &self.json["components"]["schemas"][name]
    }

    /// The names of all schemas that a part of the document refers to.
    pub(super) fn schemas_behind(&self, part: &Value) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![part];
        while let Some(part) = waiting.pop() {
            let reference = part["$ref"].as_str().unwrap_or_default();
            if let Some(name) = reference.strip_prefix("#/components/schemas/")
                && found.insert(name.to_owned())
            {
                waiting.push(self.schema(name));
            }
            waiting.extend(part.as_object().into_iter().flat_map(Map::values));
            waiting.extend(part.as_array().into_iter().flatten());
        }
        found
    }

    /// Everything in an exchange that the document does not say, or says otherwise.
    pub(super) fn faults(&self, exchange: &Exchange) -> Vec<String> {
        let Exchange { operation, meant, answer, .. } = exchange;
        let operation = self.operation(operation);
        let mut faults = Vec::new();
        let is_meant = match meant {
            Meant::Taken => answer.status == 200,
            Meant::WellFormed => {
                answer.status != 400 || answer.text_at("/errorCode") != "bad_request"
            }
            Meant::Refused => (400..500).contains(&answer.status),
            Meant::Forbidden => answer.status == 403,
            Meant::OtherMethod => answer.status == 405,
            Meant::Unsaid => true,
        };
        if !is_meant {
            faults.push(format!("{meant:?} was {}", answer.status));
        }
        let response = if answer.status == 405 {
            if answer.header("allow") != Some(&self.methods(&operation.template)) {
                faults.push("other methods are allowed than those of the path".to_owned());
            }
            Some(&self.json["components"]["responses"]["MethodNotAllowed"])
        } else {
            operation.responses.get(&answer.status)
        };
        match response {
            Some(response) => {
                faults.extend(self.faults_of_headers(response, answer));
                faults.extend(self.faults_of_body(response, answer));
            }
            None => faults.push(format!("{} is not listed", answer.status)),
        }
        faults
    }

    /// As `Allow` names them.
    fn methods(&self, template: &str) -> String {
        let of_path = self.operations.iter().filter(|operation| operation.template == template);
        let mut methods: Vec<&str> = of_path.map(|operation| operation.method.as_str()).collect();
        methods.sort_unstable();
        methods.join(", ")
    }

    fn faults_of_headers(&self, response: &Value, answer: &Answer) -> Vec<String> {
        let mut faults = Vec::new();
        let declared = response["headers"].as_object().unwrap();
        for (name, header) in declared {
            let header = self.resolve(header);
            match answer.header(name) {
                Some(text) if self.is_valid(&header["schema"], &text.into()) => {}
                Some(text) => faults.push(format!("{name} is {text}")),
                None if header["required"] == true => faults.push(format!("{name} is not there")),
                None => {}
            }
        }
        for name in answer.headers.keys().filter(|name| *name != "content-type") {
            if !declared.keys().any(|known| name == known.to_lowercase().as_str()) {
                faults.push(format!("{name} is not listed"));
            }
        }
        faults
    }

    fn faults_of_body(&self, response: &Value, answer: &Answer) -> Vec<String> {
        let media_type = answer.header("content-type").unwrap_or("none");
        let Some(content) = response["content"].get(media_type) else {
            return vec![format!("the media type {media_type} is not listed")];
        };
        if media_type != "application/json" {
            return Vec::new();
        }
        let Ok(body) = serde_json::from_slice(&answer.body) else {
            return vec!["the body is not JSON".to_owned()];
        };
        let validator = self.validator(&content["schema"]);
        validator.iter_errors(&body).map(|e| format!("{}: {e}", e.instance_path())).collect()
    }
}

impl Operation {
    fn read(document: &Value, method: Method, template: &str, operation: &Value) -> Self {
        let id = operation["operationId"].as_str().unwrap().to_owned();
        let security = operation["security"].as_array().unwrap().first();
        let security = security.map(|scheme| scheme.as_object().unwrap().keys().next().unwrap());
        let no_parameters = Vec::new();
        let parameters = operation["parameters"].as_array().unwrap_or(&no_parameters);
        let content = operation["requestBody"]["content"].as_object();
        let responses = operation["responses"].as_object().unwrap().iter();
        Self {
            id,
            method,
            template: template.to_owned(),
            security: security.cloned(),
            parameters: parameters.iter().map(|one| Parameter::read(document, one)).collect(),
            body: content.map(|content| {
                let (media_type, content) = content.iter().next().unwrap();
                (media_type.clone(), content["schema"].clone())
            }),
            responses: responses
                .map(|(status, response)| {
                    (status.parse().unwrap(), resolve(document, response).clone())
                })
                .collect(),
        }
    }

    /// Whether the path names a record.
    pub(super) fn names_something(&self) -> bool {
        self.template.contains('{')
    }
}

impl Parameter {
    fn read(document: &Value, parameter: &Value) -> Self {
        let parameter = resolve(document, parameter);
        let text = |name: &str| parameter[name].as_str().unwrap().to_owned();
        Self { name: text("name"), place: text("in"), schema: parameter["schema"].clone() }
    }
}

fn resolve<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let Some(reference) = value.get("$ref") else { return value };
    let pointer = reference.as_str().unwrap().strip_prefix('#').unwrap();
    resolve(document, document.pointer(pointer).unwrap())
}
