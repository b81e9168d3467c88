//! Which model servers answer on this machine. Asked only when nothing else is configured, to name one to the person.

use std::time::Duration;

use serde::Deserialize;

/// A server that answered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LocalServer {
    /// What usually listens on its port.
    pub name: &'static str,
    /// What to set `OPENAI_BASE_URL` to.
    pub base_url: String,
    /// The models it says it has.
    pub models: Vec<String>,
}

/// All are asked at once, and none is waited for longer.
const LIMIT: Duration = Duration::from_millis(150);
const USUAL_PORTS: [(&str, u16); 4] =
    [("Ollama", 11434), ("llama.cpp", 8080), ("vLLM", 8000), ("LM Studio", 1234)];

/// The model servers on this machine's usual ports, within 150 ms.
pub async fn local_servers() -> Vec<LocalServer> {
    let (ollama, llama, vllm, studio) = {
        let [a, b, c, d] = USUAL_PORTS.map(|(name, port)| ask(name, port));
        tokio::join!(a, b, c, d)
    };
    [ollama, llama, vllm, studio].into_iter().flatten().collect()
}

pub(super) async fn ask(name: &'static str, port: u16) -> Option<LocalServer> {
    #[derive(Deserialize)]
    struct Listed {
        data: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        id: String,
    }
    let base_url = format!("http://127.0.0.1:{port}/v1");
    let listed = async {
        // Most machines listen on none of these, and a refused connection costs no client.
        tokio::net::TcpStream::connect(("127.0.0.1", port)).await.ok()?;
        let client = crate::http::local_client()?;
        let answer = client.get(format!("{base_url}/models")).send().await.ok()?;
        serde_json::from_slice::<Listed>(&answer.bytes().await.ok()?).ok()
    };
    let listed = tokio::time::timeout(LIMIT, listed).await.ok()??;
    let models = listed.data.into_iter().map(|entry| entry.id).collect();
    Some(LocalServer { name, base_url, models })
}
