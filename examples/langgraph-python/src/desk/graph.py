"""The graph: draft an answer, have a person approve it where that is needed, send it."""

import operator
import os
from typing import Annotated

from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt
# Python 3.11 has one too, but no schema can be made of that.
from typing_extensions import TypedDict

from desk import VERSION
from desk.rules import needs_approval


class State(TypedDict, total=False):
    question: str
    answer: str
    # Every node adds its own entry.
    history: Annotated[list[str], operator.add]


def draft(state: State) -> State:
    # A secret of the deployment. Without it the run fails.
    greeting = os.environ["GREETING"]
    answer = f"{greeting}! I am version {VERSION}. You asked: {state['question']}"
    return {"answer": answer, "history": ["drafted"]}


def approve(state: State) -> State:
    if not needs_approval(state["question"]):
        return {"history": ["needs no approval"]}
    # The run ends here, and continues with what a person decides, however much later.
    if interrupt({"question": "May I send this?", "answer": state["answer"]}):
        return {"history": ["approved"]}
    return {"answer": "I am sorry, I can't promise that.", "history": ["refused"]}


def send(state: State) -> State:
    return {"history": ["sent"]}


graph = (
    StateGraph(State)
    .add_node("draft", draft)
    .add_node("approve", approve)
    .add_node("send", send)
    .add_edge(START, "draft")
    .add_edge("draft", "approve")
    .add_edge("approve", "send")
    .add_edge("send", END)
    .compile()
)
