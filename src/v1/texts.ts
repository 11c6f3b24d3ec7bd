import { addTexts } from "../texts/texts";

// V1's texts go with it.
addTexts((language) => require(`./texts/${language}.json`));
