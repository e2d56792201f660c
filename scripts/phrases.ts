import ts from "typescript";
import { catalogue } from "../src/api/catalogue/operations/catalogue.ts";
import { messageOf } from "../src/api/translation.ts";

/** Members of operations' declarations that are messages. */
const declared: ReadonlySet<string> = new Set(["failure", "remedy"]);

/** Members of errors of the API layer that are shown to users. */
const shown: ReadonlySet<string> = new Set(["failure", "reason", "remedy"]);

/** Functions whose last argument is shown to users. */
const errorFunction = /^(?:withRemark|remarked|cancelledOr|invalidInput|invalidUserIds|assetError|damaged|\w*Error)$/;

/** The messages in a source text: its templates with the tag `phrase`, and the error messages of operations. */
export function phrasesOf(text: string): readonly string[] {
  const found: string[] = [];
  visit(text, (node) => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === "phrase") {
      found.push(messageOf({ words: wordsOf(node.template) }));
    } else if (ts.isPropertyAssignment(node) && declared.has(node.name.getText()) && isText(node.initializer)) {
      found.push(withPlaces(node.initializer.text));
    }
  });
  return found;
}

/** The catalog's summaries of operations, and its error messages that are not in a declaration. */
export function cataloguePhrases(): readonly string[] {
  return catalogue.flatMap(({ summary, failure, errors, bodyTexts = {} }) => [
    summary,
    withPlaces(failure),
    ...Object.values(errors).flatMap((rule) => (rule?.remedy === undefined ? [] : [rule.remedy])),
    ...Object.values(bodyTexts).flatMap(({ reason, remedy }) => [reason, remedy]),
  ]);
}

/** Error messages in a source text that lack the tag and can't be translated. */
export function untaggedWords(text: string): readonly string[] {
  const found: string[] = [];
  const add = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isConditionalExpression(node)) {
      add(node.whenTrue);
      add(node.whenFalse);
    } else if (node !== undefined && (isText(node) || ts.isTemplateExpression(node)) && node.getText().includes(" ")) {
      found.push(node.getText());
    }
  };
  visit(text, (node) => {
    if (ts.isPropertyAssignment(node) && shown.has(node.name.getText())) {
      add(node.initializer);
    } else if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && errorFunction.test(nameOf(node.expression))) {
      node.arguments?.forEach(add);
    }
  });
  return found;
}

/**
 * The strings and templates of a source that have several words, each in its original line. `X` replaces the values of
 * templates. All other lines are empty.
 */
export function stringTexts(text: string): string {
  const lines = text.split("\n").map((): string[] => []);
  const add = (node: ts.Node, words: readonly string[]): void => {
    const said = words.join("X");
    if (/\p{L} \p{L}/u.test(said)) {
      for (const [index, part] of said.split("\n").entries()) {
        lines[lineOf(node) + index]?.push(part);
      }
    }
  };
  visit(text, (node) => {
    if (ts.isStringLiteral(node)) {
      add(node, [node.text]);
    } else if (ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node)) {
      add(node, wordsOf(node));
    }
  });
  return lines.map((parts) => parts.join(" | ")).join("\n");
}

function lineOf(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line;
}

/** The template of an operation with numbers in place of the names in braces, as in its phrase. */
function withPlaces(template: string): string {
  let place = 0;
  return template.replace(/\{\w+\}/g, () => `{${place++}}`);
}

function wordsOf(template: ts.TemplateLiteral): readonly string[] {
  return ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)];
}

function isText(node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral {
  return ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
}

/** The last name in the called expression: `withRemark` for `error.withRemark`. */
function nameOf(called: ts.Expression): string {
  return ts.isPropertyAccessExpression(called) ? called.name.text : called.getText();
}

function visit(text: string, look: (node: ts.Node) => void): void {
  const step = (node: ts.Node): void => {
    look(node);
    ts.forEachChild(node, step);
  };
  step(ts.createSourceFile("source.ts", text, ts.ScriptTarget.Latest, true));
}
