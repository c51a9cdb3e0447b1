// The floor of the start-up benchmark.
import "node:https";
