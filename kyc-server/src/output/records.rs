use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use super::{csv_unwritable, harmless, unwritable};
use crate::exit::Failure;

/// Standard output, as CSV that spreadsheets may open (T20), or as JSON lines.
pub(crate) enum Records {
    Csv(Box<csv::Writer<StdoutLock<'static>>>),
    Json(BufWriter<StdoutLock<'static>>),
}

impl Records {
    /// Begins; CSV with its titles.
    pub(crate) fn begin<'t>(
        as_json: bool,
        titles: impl IntoIterator<Item = &'t str>,
    ) -> Result<Self, Failure> {
        let out = io::stdout().lock();
        if as_json {
            return Ok(Self::Json(BufWriter::new(out)));
        }
        let mut writer = csv::Writer::from_writer(out);
        writer.write_record(titles).map_err(|error| csv_unwritable(&error))?;
        Ok(Self::Csv(Box::new(writer)))
    }

    /// Writes one, in the one or the other form.
    pub(crate) fn write<C: IntoIterator<Item = String>, R: Serialize>(
        &mut self,
        cells: impl FnOnce() -> C,
        record: impl FnOnce() -> R,
    ) -> Result<(), Failure> {
        match self {
            Self::Csv(writer) => {
                let cells = cells().into_iter().map(harmless);
                writer.write_record(cells).map_err(|error| csv_unwritable(&error))
            }
            Self::Json(writer) => serde_json::to_writer(&mut *writer, &record())
                .map_err(io::Error::from)
                .and_then(|()| writer.write_all(b"\n"))
                .map_err(|error| unwritable(&error)),
        }
    }

    /// Writes what is left.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self {
            Self::Csv(mut writer) => writer.flush(),
            Self::Json(mut writer) => writer.flush(),
        }
        .map_err(|error| unwritable(&error))
    }
}
