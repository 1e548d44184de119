import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.jsx";
import { Mails } from "./mails.jsx";
import "./page.css";

const shown = location.hash === "#mails" ? <Mails /> : <App />;
createRoot(document.body.appendChild(document.createElement("main"))).render(<StrictMode>{shown}</StrictMode>);
