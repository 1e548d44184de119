"use client";
import dynamic from "next/dynamic";

// The core is loaded in the page only: Next renders client components on its server first.
const Chat = dynamic(() => import("../chat.jsx").then((chat) => chat.Chat), { ssr: false });

export default function Page() {
  return <Chat />;
}
