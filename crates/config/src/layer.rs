//! One settings text, typed: its rules, mode, folders, variables and hooks with their lines, and the rest as it is. Knows
//! no other layer.

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonc_parser::ast;
use serde_json::{Map, Value};
use toolwright_permissions::{Mode, RuleKind, Source};

use crate::json::Document;
use crate::{ConfigError, Hook, hooks, keys};

/// What one text says.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    pub(crate) source: Arc<Source>,
    /// Rules with their lines; 0 where there are none (the command line).
    pub(crate) rules: Vec<(RuleKind, String, u32)>,
    pub(crate) mode: Option<Mode>,
    pub(crate) bypass_disabled: bool,
    /// As written, with the line.
    pub(crate) directories: Vec<(String, u32)>,
    pub(crate) env: BTreeMap<String, String>,
    pub(crate) model: Option<String>,
    pub(crate) hooks: Vec<Hook>,
    /// Everything else, for the tools that read it.
    pub(crate) rest: Map<String, Value>,
    pub(crate) warnings: Vec<String>,
}

/// Whose file it is: another program's settings have keys that mean nothing here and deserve no warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    Own,
    Foreign,
}

impl Layer {
    pub(crate) fn empty(source: Arc<Source>) -> Self {
        Self {
            source,
            rules: Vec::new(),
            mode: None,
            bypass_disabled: false,
            directories: Vec::new(),
            env: BTreeMap::new(),
            model: None,
            hooks: Vec::new(),
            rest: Map::new(),
            warnings: Vec::new(),
        }
    }

    pub(crate) fn read(
        document: &Document<'_>,
        source: Arc<Source>,
        dialect: Dialect,
        tool_keys: &[&str],
    ) -> Result<Self, ConfigError> {
        let mut layer = Self::empty(source);
        let Some(root) = document.object()? else { return Ok(layer) };
        for property in &root.properties {
            let value = &property.value;
            match property.name.as_str() {
                "permissions" => layer.read_permissions(document, value)?,
                "env" => layer.env = read_env(document, value)?,
                "model" => match value {
                    ast::Value::StringLit(text) => layer.model = Some(text.value.clone().into_owned()),
                    other => return Err(document.not_a(other, "model", "the name of a model")),
                },
                "hooks" => layer.hooks = hooks::read(document, value, &layer.source, &mut layer.warnings)?,
                key => {
                    let known = keys::ROOT.contains(&key) || tool_keys.contains(&key);
                    if !known && dialect == Dialect::Own {
                        let names: Vec<&str> = keys::ROOT.iter().chain(tool_keys).copied().collect();
                        layer.warn(document, property, &keys::unknown(key, &names));
                    }
                    layer.rest.insert(key.into(), document.plain(value, key)?);
                }
            }
        }
        Ok(layer)
    }

    fn read_permissions(
        &mut self,
        document: &Document<'_>,
        value: &ast::Value<'_>,
    ) -> Result<(), ConfigError> {
        let ast::Value::Object(object) = value else {
            return Err(document.not_a(value, "permissions", "an object with `allow`, `ask` and `deny`"));
        };
        for property in &object.properties {
            let name = property.name.as_str();
            let key = format!("permissions.{name}");
            let value = &property.value;
            let list = |kind: RuleKind| -> Result<Vec<(RuleKind, String, u32)>, ConfigError> {
                let rules = texts(document, value, &key, "a list of rules such as \"Bash(git diff *)\"")?;
                Ok(rules.into_iter().map(|(text, line)| (kind, text, line)).collect())
            };
            match name {
                "allow" => self.rules.extend(list(RuleKind::Allow)?),
                "ask" => self.rules.extend(list(RuleKind::Ask)?),
                "deny" => self.rules.extend(list(RuleKind::Deny)?),
                "additionalDirectories" => {
                    self.directories = texts(document, value, &key, "a list of folders")?;
                }
                "defaultMode" => self.mode = Some(mode(document, value, &key)?),
                "disableBypassPermissionsMode" => {
                    self.bypass_disabled = matches!(value, ast::Value::StringLit(text) if text.value == "disable")
                        || matches!(value, ast::Value::BooleanLit(flag) if flag.value);
                    if !self.bypass_disabled && !matches!(value, ast::Value::BooleanLit(_)) {
                        return Err(document.not_a(value, &key, "\"disable\""));
                    }
                }
                other => self.warn(document, property, &keys::unknown(other, &keys::PERMISSIONS)),
            }
        }
        Ok(())
    }

    fn warn(&mut self, document: &Document<'_>, property: &ast::ObjectProp<'_>, words: &str) {
        self.warnings.push(format!("{}:{}: {words}", document.name, document.line(property)));
    }
}

fn mode(document: &Document<'_>, value: &ast::Value<'_>, key: &str) -> Result<Mode, ConfigError> {
    let ast::Value::StringLit(name) = value else {
        return Err(document.not_a(value, key, "the name of a mode"));
    };
    name.value.parse().map_err(|error| document.wrong(value, key, format!("is wrong: {error}")))
}

fn texts(
    document: &Document<'_>,
    value: &ast::Value<'_>,
    key: &str,
    wanted: &str,
) -> Result<Vec<(String, u32)>, ConfigError> {
    let ast::Value::Array(array) = value else { return Err(document.not_a(value, key, wanted)) };
    let text = |element: &ast::Value<'_>| match element {
        ast::Value::StringLit(text) if text.value.trim().is_empty() => {
            Err(document.wrong(element, key, format!("has an empty entry; it must be {wanted}")))
        }
        ast::Value::StringLit(text) => Ok((text.value.clone().into_owned(), document.line(element))),
        other => Err(document.not_a(other, key, wanted)),
    };
    array.elements.iter().map(text).collect()
}

fn read_env(
    document: &Document<'_>,
    value: &ast::Value<'_>,
) -> Result<BTreeMap<String, String>, ConfigError> {
    let ast::Value::Object(object) = value else {
        return Err(document.not_a(value, "env", "an object of texts"));
    };
    let mut env = BTreeMap::new();
    for property in &object.properties {
        let name = property.name.as_str();
        let text = match &property.value {
            ast::Value::StringLit(text) => text.value.clone().into_owned(),
            ast::Value::NumberLit(number) => number.value.into(),
            ast::Value::BooleanLit(flag) => flag.value.to_string(),
            other => return Err(document.not_a(other, &format!("env.{name}"), "a text")),
        };
        if name.is_empty() || name.contains(['=', '\0']) || text.contains('\0') {
            return Err(document.wrong(property, "env", format!("has {name:?}, which is no variable")));
        }
        env.insert(name.into(), text);
    }
    Ok(env)
}
