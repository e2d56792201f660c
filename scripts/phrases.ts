import ts from "typescript";
import { catalogue } from "../src/api/catalogue/operations/catalogue.ts";
import { messageOf } from "../src/api/translation.ts";

/** Members of an operation that are messages, as it is declared. */
const declared: ReadonlySet<string> = new Set(["failure", "remedy"]);

/** What people read of an error of the API layer. */
const told: ReadonlySet<string> = new Set(["failure", "reason", "remedy"]);

/** Calls whose last argument people read. */
const telling = /^(?:withRemark|remarked|cancelledOr|invalidInput|invalidUserIds|assetError|damaged|\w*Error)$/;

/** The messages of a source text: its templates with the tag `phrase`, and what operations say of their failures. */
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

/** What the catalogue says of its operations, and of failures where a declaration does not have the words itself. */
export function cataloguePhrases(): readonly string[] {
  return catalogue.flatMap(({ summary, failure, errors, bodyTexts = {} }) => [
    summary,
    withPlaces(failure),
    ...Object.values(errors).flatMap((rule) => (rule?.remedy === undefined ? [] : [rule.remedy])),
    ...Object.values(bodyTexts).flatMap(({ reason, remedy }) => [reason, remedy]),
  ]);
}

/** Words of errors in a source text that are written as they are, without the tag: nobody could translate them. */
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
    if (ts.isPropertyAssignment(node) && told.has(node.name.getText())) {
      add(node.initializer);
    } else if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && telling.test(nameOf(node.expression))) {
      node.arguments?.forEach(add);
    }
  });
  return found;
}

/** The template of an operation with numbers in place of the names in braces, as its phrase has it. */
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

/** The last name of what is called: `withRemark` of `error.withRemark`. */
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
