import { MAJORS } from "../../support/browser";
import { walkReadme } from "./readme-walk";

const [own] = MAJORS;
if (own) walkReadme(own);
