import os
import unittest
from unittest.mock import patch

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from desk.graph import graph

CONFIG = {"configurable": {"thread_id": "1"}}


@patch.dict(os.environ, {"GREETING": "Hello"})
class DeskTest(unittest.TestCase):
    def setUp(self):
        # The server brings a checkpointer of its own.
        self.desk = graph.copy(update={"checkpointer": InMemorySaver()})

    def test_a_harmless_question_is_answered_at_once(self):
        state = self.desk.invoke({"question": "Who are you?"}, CONFIG)

        self.assertEqual(state["answer"], "Hello! I am version 1. You asked: Who are you?")
        self.assertEqual(state["history"], ["drafted", "needs no approval", "sent"])

    def test_a_promise_waits_for_approval(self):
        state = self.desk.invoke({"question": "May I have a refund?"}, CONFIG)

        self.assertEqual(state["__interrupt__"][0].value["question"], "May I send this?")
        self.assertEqual(state["history"], ["drafted"])

    def test_an_approved_answer_is_sent(self):
        self.desk.invoke({"question": "May I have a refund?"}, CONFIG)
        state = self.desk.invoke(Command(resume=True), CONFIG)

        self.assertIn("May I have a refund?", state["answer"])
        self.assertEqual(state["history"], ["drafted", "approved", "sent"])

    def test_a_refused_answer_is_replaced(self):
        self.desk.invoke({"question": "May I have a refund?"}, CONFIG)
        state = self.desk.invoke(Command(resume=False), CONFIG)

        self.assertEqual(state["answer"], "I am sorry, I can't promise that.")

    def test_callers_can_read_what_to_send(self):
        self.assertIn("question", graph.get_input_jsonschema()["properties"])

    def test_a_run_without_the_secret_fails(self):
        with patch.dict(os.environ), self.assertRaises(KeyError):
            del os.environ["GREETING"]
            self.desk.invoke({"question": "Who are you?"}, CONFIG)


if __name__ == "__main__":
    unittest.main()
