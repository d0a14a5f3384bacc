//! A small reader of JSON: enough for requests, which the core has checked.

pub enum Json {
    Object(Vec<(String, Json)>),
    Array,
    Text(String),
    Number(f64),
    Other, // true, false or null
}

const MAX_DEPTH: usize = 64;

impl Json {
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { bytes: text.as_bytes(), at: 0 };
        let value = reader.value(0)?;
        reader.skip_blanks();
        if reader.at < reader.bytes.len() {
            return Err(reader.wrong());
        }
        Ok(value)
    }

    /// The value at the end of these keys.
    pub fn get(&self, keys: &[&str]) -> Result<&Json, String> {
        let mut value = self;
        for key in keys {
            let members = match value {
                Json::Object(members) => members,
                _ => return Err(format!("The parent of '{}' is no object.", key)),
            };
            let found = members.iter().find(|(name, _)| name == key);
            value = &found.ok_or(format!("The request has no key '{}'.", keys.join(".")))?.1;
        }
        Ok(value)
    }

    pub fn text(&self, keys: &[&str]) -> Result<&str, String> {
        match self.get(keys)? {
            Json::Text(text) => Ok(text),
            _ => Err(format!("'{}' is no text.", keys.join("."))),
        }
    }

    pub fn number(&self, keys: &[&str]) -> Result<f64, String> {
        match self.get(keys)? {
            Json::Number(number) => Ok(*number),
            _ => Err(format!("'{}' is no number.", keys.join("."))),
        }
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn wrong(&self) -> String {
        format!("The request is not JSON: byte {}.", self.at)
    }

    fn skip_blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// Whether `byte` comes next; if so, it is taken.
    fn takes(&mut self, byte: u8) -> bool {
        self.skip_blanks();
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += found as usize;
        found
    }

    fn value(&mut self, depth: usize) -> Result<Json, String> {
        if depth > MAX_DEPTH {
            return Err("The request is nested too deep.".to_string());
        }
        if self.takes(b'{') {
            return self.object(depth);
        }
        if self.takes(b'[') {
            return self.array(depth);
        }
        if self.bytes.get(self.at) == Some(&b'"') {
            return Ok(Json::Text(self.text()?));
        }
        let begin = self.at;
        while matches!(self.bytes.get(self.at), Some(b'0'..=b'9' | b'a'..=b'z' | b'E' | b'+' | b'-' | b'.')) {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.bytes[begin..self.at]).map_err(|_| self.wrong())?;
        match word {
            "true" | "false" | "null" => Ok(Json::Other),
            _ => word.parse().map(Json::Number).map_err(|_| self.wrong()),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, String> {
        let mut members = Vec::new();
        while !self.takes(b'}') {
            if !members.is_empty() && !self.takes(b',') {
                return Err(self.wrong());
            }
            self.skip_blanks();
            let key = self.text()?;
            if !self.takes(b':') {
                return Err(self.wrong());
            }
            members.push((key, self.value(depth + 1)?));
        }
        Ok(Json::Object(members))
    }

    fn array(&mut self, depth: usize) -> Result<Json, String> {
        let mut is_first = true;
        while !self.takes(b']') {
            if !is_first && !self.takes(b',') {
                return Err(self.wrong());
            }
            self.value(depth + 1)?;
            is_first = false;
        }
        Ok(Json::Array)
    }

    fn text(&mut self) -> Result<String, String> {
        if !self.takes(b'"') {
            return Err(self.wrong());
        }
        let mut units: Vec<u8> = Vec::new();
        loop {
            let byte = *self.bytes.get(self.at).ok_or_else(|| self.wrong())?;
            self.at += 1;
            match byte {
                b'"' => return String::from_utf8(units).map_err(|_| self.wrong()),
                b'\\' => {
                    let mut buffer = [0; 4];
                    let c = self.escaped()?;
                    units.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
                }
                byte => units.push(byte),
            }
        }
    }

    /// The character of an escape. One beyond the basic plane, which takes two, becomes U+FFFD twice.
    fn escaped(&mut self) -> Result<char, String> {
        let kind = *self.bytes.get(self.at).ok_or_else(|| self.wrong())?;
        self.at += 1;
        Ok(match kind {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let digits = self.bytes.get(self.at..self.at + 4).ok_or_else(|| self.wrong())?;
                let digits = std::str::from_utf8(digits).map_err(|_| self.wrong())?;
                let code = u32::from_str_radix(digits, 16).map_err(|_| self.wrong())?;
                self.at += 4;
                char::from_u32(code).unwrap_or('\u{fffd}')
            }
            other => other as char,
        })
    }
}
