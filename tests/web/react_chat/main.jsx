import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.jsx";
import { Mails } from "./mails.jsx";
import { Team } from "./team.jsx";
import "./page.css";

const pages = { "#mails": <Mails />, "#team": <Team /> };
const shown = pages[location.hash] ?? <App />;
createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode>{shown}</StrictMode>);
