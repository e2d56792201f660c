"""Joins the live room of a notebook, as JupyterLab does. Reads lines `CELL TEXT` and appends the text to that cell."""

import asyncio
import json
import sys
import urllib.request

from jupyter_ydoc import YNotebook
from pycrdt import Doc, YMessageType, create_sync_message, create_update_message, handle_sync_message
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect


async def main(base: str, token: str, path: str) -> None:
    headers = {"Authorization": f"token {token}"}
    body = json.dumps({"format": "json", "type": "notebook"}).encode()
    session_address = f"{base}api/collaboration/session/{path}"
    with urllib.request.urlopen(urllib.request.Request(session_address, body, headers, method="PUT")) as answer:
        session = json.load(answer)
    room = f"api/collaboration/room/json:notebook:{session['fileId']}?sessionId={session['sessionId']}"
    socket = await websocket_connect(HTTPRequest(base.replace("http", "ws", 1) + room, headers=headers))
    document = Doc()
    notebook = YNotebook(document)
    await socket.write_message(create_sync_message(document), binary=True)

    async def receive() -> None:
        while (message := await socket.read_message()) is not None:
            if message[0] == YMessageType.SYNC:
                reply = handle_sync_message(message[1:], document)
                if reply is not None:
                    await socket.write_message(reply, binary=True)
                if len(notebook.ycells) > 0:
                    print(json.dumps([str(cell["source"]) for cell in notebook.ycells]), flush=True)

    receiving = asyncio.create_task(receive())
    while line := await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline):
        cell, text = line.rstrip("\n").split(" ", 1)
        updates = document.observe(lambda event: socket.write_message(create_update_message(event.update), binary=True))
        source = notebook.ycells[int(cell)]["source"]
        source.insert(len(source), text)
        document.unobserve(updates)
    receiving.cancel()
    socket.close()


asyncio.run(main(*sys.argv[1:]))
