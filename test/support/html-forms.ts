import { type DefaultTreeAdapterTypes, parse } from 'parse5'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

/** An input of a form, with what a browser would send of it. */
export interface FormInput {
  readonly name: string
  /** `text`, `textarea`, `select`, `checkbox`, `radio`, `hidden`, `file`, … */
  readonly type: string
  readonly value: string
  /** Whether a browser sends it: a box that is ticked, a choice that is chosen; true for every other input. */
  readonly isSent: boolean
  /** The values of the choices of a select. */
  readonly choices: readonly string[]
}

/** An HTML form, with the inputs outside of it that belong to it. */
export interface PageForm {
  readonly method: string
  readonly action: string
  readonly hasFiles: boolean
  readonly inputs: readonly FormInput[]
  /** The values of its buttons named `do`. */
  readonly actions: readonly string[]
}

const isElement = (node: Node): node is Element => 'tagName' in node
const attribute = ({ attrs }: Element, name: string) => attrs.find((each) => each.name === name)?.value

function textOf(node: Node): string {
  if ('value' in node && node.nodeName === '#text') return node.value
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : ''
}

const within = (node: Node, tag: string): readonly Element[] =>
  'childNodes' in node
    ? node.childNodes.flatMap((child) => [
        ...(isElement(child) && child.tagName === tag ? [child] : []),
        ...within(child, tag),
      ])
    : []

function inputOf(element: Element): FormInput | undefined {
  const name = attribute(element, 'name')
  if (name === undefined) return undefined
  const value = attribute(element, 'value')
  if (element.tagName === 'textarea') {
    return { name, type: 'textarea', value: textOf(element), isSent: true, choices: [] }
  }
  if (element.tagName === 'select') {
    const options = within(element, 'option')
    const choiceOf = (option: Element) => attribute(option, 'value') ?? textOf(option)
    const chosen = options.find((option) => attribute(option, 'selected') !== undefined) ?? options[0]
    return {
      name,
      type: 'select',
      value: chosen ? choiceOf(chosen) : '',
      isSent: chosen !== undefined,
      choices: options.map(choiceOf),
    }
  }
  const type = attribute(element, 'type') ?? 'text'
  const isTicked = attribute(element, 'checked') !== undefined
  const isBox = type === 'checkbox' || type === 'radio'
  return { name, type, value: value ?? (isBox ? 'on' : ''), isSent: isBox ? isTicked : type !== 'file', choices: [] }
}

/** The HTML forms, in the order of the page. */
export function formsOf(markup: string): readonly PageForm[] {
  const page = parse(markup, { scriptingEnabled: false })
  const forms = within(page, 'form')
  const controls = ['input', 'textarea', 'select', 'button'].flatMap((tag) => within(page, tag))
  const ownerOf = (element: Element): Element | undefined => {
    const named = attribute(element, 'form')
    if (named !== undefined) return forms.find((form) => attribute(form, 'id') === named)
    for (let node: Node | null = element; node; node = 'parentNode' in node ? node.parentNode : null) {
      if (isElement(node) && node.tagName === 'form') return node
    }
    return undefined
  }
  return forms.map((form) => {
    const own = controls.filter((control) => ownerOf(control) === form)
    return {
      method: attribute(form, 'method') ?? 'get',
      action: attribute(form, 'action') ?? '',
      hasFiles: attribute(form, 'enctype') === 'multipart/form-data',
      inputs: own.flatMap((control) => (control.tagName === 'button' ? [] : (inputOf(control) ?? []))),
      actions: own.flatMap((control) =>
        control.tagName === 'button' && attribute(control, 'name') === 'do' ? (attribute(control, 'value') ?? []) : [],
      ),
    }
  })
}

/** What a browser sends of a form, without its button. */
export const sentOf = ({ inputs }: Pick<PageForm, 'inputs'>): readonly (readonly [string, string])[] =>
  inputs.flatMap(({ name, value, isSent }) => (isSent ? [[name, value] as const] : []))
