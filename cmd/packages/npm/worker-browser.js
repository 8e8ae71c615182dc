import { serve } from "./core.js";

let answer;
onmessage = ({ data }) => {
  if (data.module) answer = serve(data.module, (m) => postMessage(m));
  else answer(data);
};
