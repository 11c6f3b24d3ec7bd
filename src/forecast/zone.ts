export { Zone } from "../util/zone";
