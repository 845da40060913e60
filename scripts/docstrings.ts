// Docstrings and signatures as the pages of the reference show them.
import ts from 'typescript'

/** The text of a docstring on one line, with the names that it links as code. */
export const docLine = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\{@link (?:\* )?(?:EepMembers\.)?([^}]+)\}/g, '`$1`')
    .trim()

/** A docstring on one line. */
export const docText = (parts: readonly ts.SymbolDisplayPart[] | undefined): string =>
  docLine(ts.displayPartsToString([...(parts ?? [])]))

/** The errors of a docstring. */
export const errorsOf = (tags: readonly ts.JSDocTagInfo[]): string =>
  tags
    .filter(({ name }) => name === 'throws')
    .map((tag) => docText(tag.text))
    .join('; ')

/** The name of a parameter; of one that is taken apart, that of its type. */
export function parameterName(parameter: ts.Symbol): string {
  const declaration = parameter.valueDeclaration
  if (!declaration || !ts.isParameter(declaration)) return parameter.name
  const { name, type, questionToken, initializer } = declaration
  const typeName = type && ts.isTypeReferenceNode(type) ? type.typeName.getText().split('.').at(-1) : undefined
  const own = ts.isIdentifier(name) ? name.text : typeName ? typeName[0]?.toLowerCase() + typeName.slice(1) : 'options'
  return questionToken || initializer ? `${own}?` : own
}
