import { parentPort, workerData } from "node:worker_threads";
import { serve } from "./core.js";

parentPort.on("message", serve(workerData, (m) => parentPort.postMessage(m)));
