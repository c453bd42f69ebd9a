//! XML, one record at a time: elements as small trees, with their place in the file.

use std::io::{self, BufReader, Read};

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

use super::{Bounded, Place, ReadError};

/// Elements are nested at most this deep; deeper ones are no list.
const DEPTH_MAX: usize = 12;

/// One record has at most this many elements; the largest real one has a hundredth of it.
const RECORD_ELEMENTS_MAX: usize = 20_000;

const END_TAG: &str = "the end tag of this element";

/// A position in an XML file.
pub(super) struct Xml<R> {
    reader: Reader<BufReader<Bounded<R>>>,
    buffer: Vec<u8>,
    /// The names of the open elements, from the root inward.
    path: Vec<String>,
}

impl<R: Read> Xml<R> {
    pub(super) fn new(input: R) -> Self {
        let mut reader = Reader::from_reader(BufReader::new(Bounded::new(input)));
        reader.config_mut().expand_empty_elements = true;
        Self { reader, buffer: Vec::new(), path: Vec::new() }
    }

    /// Enters the next element inside the innermost open one; `None` when that one has ended.
    pub(super) fn child(&mut self) -> Result<Option<BytesStart<'static>>, ReadError> {
        loop {
            match self.event()? {
                Event::Start(tag) | Event::Empty(tag) => {
                    self.open(&tag)?;
                    return Ok(Some(tag));
                }
                Event::End(_) => {
                    self.path.pop();
                    return Ok(None);
                }
                Event::Eof if self.path.is_empty() => return Ok(None),
                Event::Eof => return Err(self.fault(END_TAG)),
                Event::Text(text) if text.trim().is_empty() => {}
                Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                    return Err(self.fault("an element, no text"));
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    /// Names the innermost open element, so that faults in it say which one it is.
    pub(super) fn number(&mut self, number: usize) {
        if let Some(name) = self.path.last_mut() {
            *name = format!("{name}[{number}]");
        }
    }

    /// Gathers everything up to the end of the innermost open element.
    pub(super) fn gather(&mut self) -> Result<Element, ReadError> {
        let mut left = RECORD_ELEMENTS_MAX;
        self.content(&mut left)
    }

    fn content(&mut self, left: &mut usize) -> Result<Element, ReadError> {
        let mut element = Element::default();
        loop {
            match self.event()? {
                Event::Start(tag) | Event::Empty(tag) => {
                    self.open(&tag)?;
                    *left = left.checked_sub(1).ok_or_else(|| self.fault("a smaller record"))?;
                    let child = self.content(left)?;
                    element.children.push((name_of(&tag), child));
                }
                Event::End(_) => {
                    self.path.pop();
                    return Ok(element);
                }
                Event::Text(text) => element.text.push_str(&text),
                Event::CData(text) => element.text.push_str(&text),
                Event::GeneralRef(reference) => element.text.push(self.resolve(&reference)?),
                Event::Eof => return Err(self.fault(END_TAG)),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>) -> Result<(), ReadError> {
        self.path.push(name_of(tag));
        if self.path.len() > DEPTH_MAX {
            return Err(self.fault("fewer elements inside each other"));
        }
        Ok(())
    }

    fn event(&mut self) -> Result<Event<'static>, ReadError> {
        self.buffer.clear();
        match self.reader.read_event_into(&mut self.buffer) {
            // The parser lets them pass; XML has none.
            Ok(Event::Text(text)) if text.contains('\0') => {
                Err(self.fault("text without NUL bytes"))
            }
            Ok(event) => Ok(event.into_owned()),
            Err(quick_xml::Error::Io(error)) => Err(io::Error::new(error.kind(), error).into()),
            Err(quick_xml::Error::Syntax(_)) => Err(self.fault("the end of a tag or comment")),
            Err(quick_xml::Error::IllFormed(_)) => Err(self.fault(END_TAG)),
            Err(quick_xml::Error::Encoding(_)) => Err(self.fault("UTF-8 text")),
            Err(_) => Err(self.fault("well-formed XML")),
        }
    }

    fn resolve(&self, reference: &BytesRef<'_>) -> Result<char, ReadError> {
        let character = match reference.resolve_char_ref() {
            Ok(Some(character)) => Some(character),
            Ok(None) => match &**reference {
                "amp" => Some('&'),
                "lt" => Some('<'),
                "gt" => Some('>'),
                "quot" => Some('"'),
                "apos" => Some('\''),
                _ => None,
            },
            Err(_) => None,
        };
        character.ok_or_else(|| self.fault("a predefined entity"))
    }

    /// A fault at this place.
    pub(super) fn fault(&self, expected: &'static str) -> ReadError {
        let path = if self.path.is_empty() { "(root)".to_owned() } else { self.path.join("/") };
        let byte = self.reader.buffer_position();
        ReadError::Malformed { place: Place::Element { path, byte }, expected }
    }
}

/// An element: its own text, and what is inside it.
#[derive(Debug, Default)]
pub(super) struct Element {
    text: String,
    children: Vec<(String, Self)>,
}

impl Element {
    /// Every child of this name.
    pub(super) fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Self> {
        self.children.iter().filter(move |(child, _)| child == name).map(|(_, child)| child)
    }

    /// The text of the first child of this name, single-spaced; `None` when blank.
    pub(super) fn text_of(&self, name: &str) -> Option<String> {
        self.all(name).next().and_then(Self::text)
    }

    /// The texts of the `VALUE` children of every child of this name.
    pub(super) fn values_of<'e>(&'e self, name: &'e str) -> impl Iterator<Item = String> {
        self.all(name).flat_map(|child| child.all("VALUE")).filter_map(Self::text)
    }

    fn text(&self) -> Option<String> {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        (!words.is_empty()).then(|| words.join(" "))
    }
}

pub(super) fn name_of(tag: &BytesStart<'_>) -> String {
    /// Names of real lists have a quarter of it; a longer one would only fill messages.
    const NAME_CHARS_MAX: usize = 100;
    let name = tag.local_name();
    name.into_inner().chars().take(NAME_CHARS_MAX).collect()
}
