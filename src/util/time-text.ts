export { timeText } from "./zone";
