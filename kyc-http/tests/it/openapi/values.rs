//! Values that a schema allows, and values that it does not.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::string::{RegexGeneratorStrategy, string_regex};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};

use super::document::Document;

/// Chance, the same for each seed.
pub(super) struct Dice {
    runner: TestRunner,
    /// By pattern: making one takes longer than using it.
    texts: HashMap<String, RegexGeneratorStrategy<String>>,
}

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        Self { runner: TestRunner::new_with_rng(Config::default(), rng), texts: HashMap::new() }
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        self.draw(&(0..end))
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len())]
    }

    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in 1..items.len() {
            let other = self.below(at + 1);
            items.swap(at, other);
        }
    }

    fn draw<S: Strategy>(&mut self, strategy: &S) -> S::Value {
        strategy.new_tree(&mut self.runner).unwrap().current()
    }

    /// A text of a pattern.
    pub(super) fn text(&mut self, pattern: &str) -> String {
        let make = || string_regex(pattern).unwrap();
        let text = self.texts.entry(pattern.to_owned()).or_insert_with(make);
        text.new_tree(&mut self.runner).unwrap().current()
    }
}

/// Values under the names that they have in answers.
pub(super) type Names = BTreeMap<String, Vec<Value>>;

/// Makes values.
pub(super) struct Maker<'a> {
    pub(super) document: &'a Document,
    pub(super) dice: &'a mut Dice,
    /// What is known of the submission that a request is about.
    pub(super) subject: &'a Names,
    /// Handles of documents.
    pub(super) handles: &'a [Value],
    /// How often, of a hundred times, a value is one that was answered before.
    pub(super) reuse: usize,
    /// Whether an id was made up, which names nothing.
    pub(super) made_up: bool,
}

/// In the pattern of every id and handle.
const ID: &str = "[0-9a-hjkmnp-tv-z]{25}";

impl Maker<'_> {
    /// A value that the schema of something of this name allows: maybe one that was answered
    /// under this name before, for a handle hardly anything else.
    pub(super) fn value(&mut self, name: &str, schema: &Value) -> Value {
        let pattern = self.document.resolve(schema)["pattern"].as_str().unwrap_or_default();
        let is_handle = pattern.contains('/') && pattern.contains(ID);
        let handles = self.handles.iter().filter(|_| is_handle);
        let known = self.subject.get(name).into_iter().flatten().chain(handles);
        let known: Vec<Value> =
            known.filter(|value| self.document.is_valid(schema, value)).cloned().collect();
        if !known.is_empty() && self.dice.chance(if is_handle { 95 } else { self.reuse }) {
            return self.dice.pick(&known).clone();
        }
        self.new_value(schema)
    }

    /// A value that nobody answered.
    pub(super) fn new_value(&mut self, schema: &Value) -> Value {
        let document = self.document;
        let examples = schema.get("examples").or_else(|| document.resolve(schema).get("examples"));
        if let Some(examples) = examples.and_then(Value::as_array)
            && self.dice.chance(50)
        {
            return self.dice.pick(examples).clone();
        }
        let schema = document.resolve(schema);
        let value = if let Some(value) = schema.get("const") {
            value.clone()
        } else if let Some(values) = schema["enum"].as_array() {
            self.dice.pick(values).clone()
        } else if let Some(schemas) = schema["anyOf"].as_array() {
            let schema = self.dice.pick(schemas);
            self.new_value(schema)
        } else {
            match schema["type"].as_str().unwrap() {
                "string" => self.text(schema).into(),
                // JSON has one kind of number: 3.0 is 3.
                "integer" if self.dice.chance(20) => json!(f64::from(self.number(schema))),
                "integer" => self.number(schema).into(),
                "array" => self.array(schema),
                other => panic!("requests have no {other}"),
            }
        };
        assert!(document.is_valid(schema, &value), "{value} was made for {schema}");
        value
    }

    fn number(&mut self, schema: &Value) -> u32 {
        let bound = |name: &str| u32::try_from(schema[name].as_u64().unwrap()).unwrap();
        let (least, most) = (bound("minimum"), bound("maximum"));
        match self.dice.below(8) {
            0 => most,
            1 => self.dice.draw(&(least..=most)),
            _ => self.dice.draw(&(least..=least + 5)),
        }
    }

    fn array(&mut self, schema: &Value) -> Value {
        let bound = |name: &str, otherwise| schema[name].as_u64().unwrap_or(otherwise);
        let count = self.dice.draw(&(bound("minItems", 0)..=bound("maxItems", 3)));
        (0..count).map(|_| self.new_value(&schema["items"])).collect()
    }

    fn text(&mut self, schema: &Value) -> String {
        match (schema["format"].as_str(), schema["pattern"].as_str()) {
            (Some("date"), _) => {
                let (year, month) = (self.dice.draw(&(1900..=2025)), self.dice.draw(&(1..=12)));
                format!("{year}-{month:02}-{:02}", self.dice.draw(&(1..=28)))
            }
            (Some("ipv4"), _) => {
                std::net::Ipv4Addr::from(self.dice.draw(&any::<u32>())).to_string()
            }
            (Some("idn-email"), _) => {
                self.dice.text(r"[a-zA-Zé0-9]{1,12}([.+_-][a-z]{1,4})?@([a-z]{1,9}\.){1,3}(org|рф)")
            }
            // A text that some characters are kept out of, or any at all.
            (_, None) => self.any_text(schema),
            (_, Some(pattern)) if pattern.starts_with("^[^") => self.any_text(schema),
            (_, Some(pattern)) => {
                self.made_up |= pattern.contains(ID);
                self.dice.text(&pattern[1..pattern.len() - 1])
            }
        }
    }

    /// Of any script, now and then as long as may be.
    fn any_text(&mut self, schema: &Value) -> String {
        match schema["maxLength"].as_u64() {
            Some(most) if self.dice.chance(10) => self.dice.text(&format!("[a-z]{{{most}}}")),
            _ => self.dice.text(r"\pL(\PC{0,20}[\pL\pN])?"),
        }
    }

    /// A value that the schema does not allow. `is_text` where nothing but texts can be sent.
    pub(super) fn wrong_value(&mut self, schema: &Value, is_text: bool) -> Option<Value> {
        let most = self.document.resolve(schema)["maxLength"].as_u64().unwrap_or(2_000);
        let mut values = vec![
            json!("no such value"),
            json!("\u{202e}\u{1f642}"),
            json!("a\u{7}b"),
            json!("' OR '1'='1"),
            json!("-1"),
            json!("0"),
            json!("1.5"),
            json!("2023-02-29"),
            json!("999999999999999999999"),
            json!("x".repeat(usize::try_from(most).unwrap() + 1)),
        ];
        if !is_text {
            values.extend([json!(0), json!(-1), json!(1.5), json!(4_294_967_296_u64)]);
            values.extend([json!(true), json!([]), json!([null]), json!({}), json!([[1]])]);
        }
        values.retain(|value| !self.document.is_valid(schema, value));
        if values.is_empty() { None } else { Some(self.dice.pick(&values).clone()) }
    }
}
