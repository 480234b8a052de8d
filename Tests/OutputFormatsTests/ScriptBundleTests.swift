import OutputFormats
import Testing

/// Modules that become one script.
@Suite struct ScriptBundleTests {
    private func script(
        _ modules: [String: String], standIns: [String: String] = [:]
    ) throws(ScriptBundleError) -> String {
        try ScriptBundle.script(of: "a/main.js", standIns: standIns) { modules[$0] }
    }

    /// Shows a script: each module once, after what it imports, with its names to itself, and what takes another's place.
    @Test func modulesComeInTheOrderOfTheirImports() throws {
        let modules = [
            "a/main.js": """
            import { one, two as other } from "./lib.js";
            import {
              three,
            } from "../b/deep.js";
            importance(one, other, three);
            """,
            "a/lib.js": """
            /**
             * Shows import("./types.js").Type, and
            export let it = "stay";
             */

            import { three } from "../b/deep.js";
            export const one = 1;
            /** One line. */
            export async function two() {
              // Another.
              return three; // And a third.
            }
            export class Four extends Object {}
            """,
            "b/deep.js": "export function three() {}\n", "c/deep.js": "const own = 3;\nexport const three = own;\n",
        ]
        let expected = """
            "use strict";
            (() => {
            // b/deep.js
            const module1 = (() => {
            function three() {}
            return { three };
            })();
            // a/lib.js
            const module2 = (() => {
            const { three } = module1;
            const one = 1;
            async function two() {
              return three; // And a third.
            }
            class Four extends Object {}
            return { one, two, Four };
            })();
            // a/main.js
            const module3 = (() => {
            const { one, two: other } = module2;
            const { three } = module1;
            importance(one, other, three);
            return {  };
            })();
            })();

            """
        #expect(try script(modules) == expected)
        let other = try script(modules, standIns: ["b/deep.js": "c/deep.js"])
        #expect(other.contains("const own = 3;") && !other.contains("b/deep.js"))
    }

    /// Shows that what such a script cannot have, and names and modules that are not there, are refused by name.
    @Test(
        arguments: [
            ("import { one } from \"./lib.js\";", "a/main.js: a/lib.js does not export one"),
            ("import { two } from \"./missing.js\";", "a/missing.js: there is no such module"),
            ("import { two } from \"../../lib.js\";", "a/main.js: ../../lib.js is no path of a module"),
            ("import { two } from \"lib.js\";", "a/main.js: lib.js is no path of a module"),
            ("import lib from \"./lib.js\";", "a/main.js: it cannot have “import lib from \"./lib.js\";”"),
            ("import * as lib from \"./lib.js\";", "a/main.js: it cannot have “import * as lib from \"./lib.js\";”"),
            ("import { main } from \"./main.js\";", "a/main.js: it imports itself, by way of a/main.js"),
            ("import { two", "a/main.js: an import does not end"),
            ("export let count = 0;", "a/main.js: it cannot have “export let count = 0;”"),
            ("export default 1;", "a/main.js: it cannot have “export default 1;”"),
            ("export { two };", "a/main.js: it cannot have “export { two };”"),
            ("/* one */ two();", "a/main.js: it cannot have “/* one */ two();”"),
            ("export{two};", "a/main.js: it cannot have “export{two};”"),
            ("f(import.meta.url);", "a/main.js: a script within a page cannot have import.meta"),
            ("f(await import(\"./lib.js\"));", "a/main.js: a script within a page cannot have import("),
            ("f(\"</script>\");", "a/main.js: a script within a page cannot have </script"),
            ("f(\"<!--\");", "a/main.js: a script within a page cannot have <!--"),
        ])
    func otherThingsAreRefused(text: String, sentence: String) {
        let error = #expect(throws: ScriptBundleError.self) {
            try script(["a/main.js": text, "a/lib.js": "export const two = 2;"])
        }
        #expect(error?.description == sentence)
    }
}
