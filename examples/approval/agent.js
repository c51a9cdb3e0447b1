// A graph without a model: it writes a draft, and waits until a person has approved it.
import { END, interrupt, START, StateGraph } from "@langchain/langgraph";
import { z } from "zod";

const State = z.object({ question: z.string(), draft: z.string().optional(), answer: z.string().optional() });
const Input = z.object({ question: z.string() });
const Output = z.object({ answer: z.string().optional() });

export const graph = new StateGraph({ state: State, input: Input, output: Output })
  .addNode("write", ({ question }) => ({ draft: `An answer to: ${question}` }))
  .addNode("approve", ({ draft }) => ({ answer: interrupt({ draft }) ? draft : "No answer" }))
  .addEdge(START, "write")
  .addEdge("write", "approve")
  .addEdge("approve", END)
  .compile();
