// A graph without a model: it knows some capitals. To call a model, replace the node "answer".
import { AIMessage } from "@langchain/core/messages";
import { END, MessagesZodState, START, StateGraph } from "@langchain/langgraph";

const capitals = { France: "Paris", Japan: "Tokyo", Kenya: "Nairobi" };

export const graph = new StateGraph(MessagesZodState)
  .addNode("answer", ({ messages }) => {
    const question = messages.at(-1).text;
    const country = Object.keys(capitals).find((name) => question.includes(name));
    return { messages: [new AIMessage(capitals[country] ?? "I only know some capitals.")] };
  })
  .addEdge(START, "answer")
  .addEdge("answer", END)
  .compile();
