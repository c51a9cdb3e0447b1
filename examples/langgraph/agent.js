// A graph without a model: it greets whoever asks. To call a model, replace the node "greet".
import { Annotation, END, START, StateGraph } from "@langchain/langgraph";

const State = Annotation.Root({ question: Annotation(), answer: Annotation() });

export const graph = new StateGraph(State)
  .addNode("greet", ({ question }) => ({ answer: `${process.env.GREETING}! You asked: ${question}` }))
  .addEdge(START, "greet")
  .addEdge("greet", END)
  .compile();
