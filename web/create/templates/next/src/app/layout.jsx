import "purestep/react/styles.css";
import "../page.css";

export const metadata = { title: "Order desk", icons: { icon: "data:," } };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}
