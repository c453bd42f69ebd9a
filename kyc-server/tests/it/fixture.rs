//! Documents, forms and lists of invented people.

use std::io;

use serde_json::{Value, json};

use crate::client::{Answer, Client};

/// A PNG image up to the end of its header, which is all that is looked at, and some bytes that
/// make it unlike others.
pub(crate) fn image(content: &str) -> Vec<u8> {
    let mut image =
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89"
            .to_vec();
    image.extend_from_slice(content.as_bytes());
    image
}

/// A multipart body and its type.
pub(crate) fn upload_body(kind: &str, file: &[u8]) -> (String, Vec<u8>) {
    let mut body = format!(
        "--border\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\n{kind}\r\n\
         --border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"scan.png\"\r\n\
         Content-Type: image/png\r\n\r\n"
    )
    .into_bytes();
    body.extend_from_slice(file);
    body.extend_from_slice(b"\r\n--border--\r\n");
    ("multipart/form-data; boundary=border".to_owned(), body)
}

pub(crate) fn try_upload(client: &Client, kind: &str, file: &[u8]) -> io::Result<Answer> {
    let (content_type, body) = upload_body(kind, file);
    client.try_send("POST", "/v2/submissions/upload", &content_type, &body)
}

/// Uploads a document and gives its handle.
#[track_caller]
pub(crate) fn upload(client: &Client, kind: &str, content: &str) -> String {
    let answer = try_upload(client, kind, &image(content)).unwrap().ok();
    answer["filehash"].as_str().unwrap().to_owned()
}

/// An applicant.
#[derive(Debug, Clone)]
pub(crate) struct Applicant {
    pub(crate) email: String,
    pub(crate) first_name: String,
    pub(crate) last_name: String,
    pub(crate) nationality: &'static str,
    pub(crate) date_of_birth: String,
    pub(crate) gender: &'static str,
}

impl Applicant {
    /// Somebody who is on no list.
    pub(crate) fn named(first_name: &str, last_name: &str) -> Self {
        Self {
            email: "mira.kole@example.org".to_owned(),
            first_name: first_name.to_owned(),
            last_name: last_name.to_owned(),
            nationality: "Albania, ALB",
            date_of_birth: "1990-05-17".to_owned(),
            gender: "female",
        }
    }

    /// Somebody on the built-in sample list.
    pub(crate) fn of_the_sample() -> Self {
        Self {
            nationality: "Norway, NOR",
            date_of_birth: "1968-04-17".to_owned(),
            gender: "male",
            ..Self::named("Tormund", "Vexley")
        }
    }

    pub(crate) fn form(&self, photo_id: &str, selfie: &str) -> String {
        let Self { email, first_name, last_name, nationality, date_of_birth, gender } = self;
        format!(
            "email={email}&first_name={first_name}&last_name={last_name}\
             &nationality={nationality}&date_of_birth={date_of_birth}&gender={gender}\
             &id_type=passport&kyc_level=L1&photoid_res={photo_id}&selfie_res={selfie}"
        )
    }

    /// Uploads both documents and submits the form; gives the id of the submission.
    #[track_caller]
    pub(crate) fn submit(&self, client: &Client) -> String {
        let photo_id = upload(client, "passport", &format!("passport of {}", self.email));
        let selfie = upload(client, "selfie", &format!("selfie of {}", self.email));
        let answer = client.post_form("/v2/submissions", &self.form(&photo_id, &selfie)).ok();
        answer["id"].as_str().unwrap().to_owned()
    }

    /// The applicant's status.
    pub(crate) fn status(&self, client: &Client) -> Value {
        client.get(&format!("/v2/submissions/{}", self.email)).ok()
    }
}

pub(crate) fn decision(id: &str, word: &str) -> String {
    format!("/review/v1/submissions/{id}/{word}")
}

/// An inspector accepts the documents.
#[track_caller]
pub(crate) fn approve(inspector: &Client, id: &str) {
    let case = inspector.get(&format!("/review/v1/submissions/{id}")).ok();
    let body = json!({"version": case["version"], "id_expired_date": "2031-01-31"});
    inspector.post_json(&decision(id, "approve"), &body).ok();
}

pub(crate) const PLAIN_LIST: &str = "\
id,name,aliases,birth_date,nationality,programme
W-1,Basil Quandary,Vasily Quandarov,1971-03-09,Malta,WATCH-FRAUD
W-2,Perpetua Nightjar,,1980,,WATCH-FRAUD
";

pub(crate) const UN_LIST: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-11-02T00:00:00Z">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>9000001</DATAID>
      <FIRST_NAME>OSRIC</FIRST_NAME>
      <SECOND_NAME>FENNIMORE</SECOND_NAME>
      <UN_LIST_TYPE>Invented</UN_LIST_TYPE>
      <REFERENCE_NUMBER>INi.001</REFERENCE_NUMBER>
      <NATIONALITY><VALUE>Malta</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Osrik Fenimore</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1969-07-20</DATE></INDIVIDUAL_DATE_OF_BIRTH>
    </INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES/>
</CONSOLIDATED_LIST>
"#;

pub(crate) const OFAC_LIST: &str = "\
91001,\"GRIMWADE, Lysander\",\"individual\",\"INVENTED\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 11 Jan 1965; nationality Malta; Gender Male.\"
91002,\"HOLLOWAY TRADING\",-0- ,\"INVENTED\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- 
\u{1a}";

pub(crate) const OFAC_ALIASES: &str = "\
91001,1,\"aka\",\"GRIMWOOD, Lisander\",-0- 
\u{1a}";
