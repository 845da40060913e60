import { type Html, html } from './html.ts'

/** What all inputs have. */
export interface Control {
  readonly name: string
  /** Unique on the page. Default: the name. */
  readonly id?: string | undefined
  readonly label: string | Html
  readonly hint?: string | Html | undefined
  /** The problem of its value. */
  readonly problem?: string | undefined
  readonly isRequired?: boolean | undefined
}

/** An input of one line. */
export interface LineControl extends Control {
  /** Default: `text`. */
  readonly type?: 'text' | 'url' | 'email' | 'number' | 'date' | 'datetime-local' | 'color' | 'search' | undefined
  readonly value: string
  readonly maxLength?: number | undefined
  readonly autocomplete?: string | undefined
  /** Which keyboard phones show. */
  readonly inputMode?: 'decimal' | 'numeric' | 'url' | undefined
  readonly placeholder?: string | undefined
  /** Whether it takes a name or an address, which keyboards must not correct. Default: false. */
  readonly isExact?: boolean | undefined
  /** The larger text of a title. Default: false. */
  readonly isBig?: boolean | undefined
  /** The texts that it offers. */
  readonly offers?: readonly string[] | undefined
}

function around({ name, id = name, label, hint, problem }: Control, input: (described: Html | false) => Html): Html {
  const ids = [problem && `${id}-problem`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const described =
    (problem !== undefined || ids !== '') &&
    html`${problem && html` aria-invalid="true"`}${ids && html` aria-describedby="${ids}"`}`
  return html`<p class="field"><label for="${id}">${label}</label>${problem && html`<span class="wrong" id="${id}-problem">${problem}</span>`}${input(described)}${hint && html`<span class="hint" id="${id}-hint">${hint}</span>`}</p>\n`
}

/** Writes an input of one line with its label. */
export function lineHtml(control: LineControl): Html {
  const { name, id = name, type = 'text', value, maxLength, autocomplete = 'off', inputMode, offers = [] } = control
  return html`${around(
    control,
    (described) =>
      html`<input id="${id}" name="${name}" type="${type}" value="${value}" autocomplete="${autocomplete}"${maxLength && html` maxlength="${maxLength}"`}${inputMode && html` inputmode="${inputMode}"`}${control.placeholder && html` placeholder="${control.placeholder}"`}${control.isRequired && html` required`}${control.isExact && html` autocapitalize="none" spellcheck="false"`}${control.isBig && html` class="big"`}${offers.length > 0 && html` list="${id}-offers"`}${described}>`,
  )}${offers.length > 0 && html`<datalist id="${id}-offers">${offers.map((each) => html`<option value="${each}"></option>`)}</datalist>`}`
}

/** An input of several lines. */
export interface AreaControl extends Control {
  readonly value: string
  readonly rows: number
  readonly maxLength?: number | undefined
  /** Whether it has the type of code, such as Markdown. Default: false. */
  readonly isCode?: boolean | undefined
}

/** Writes an input of several lines with its label. */
export function areaHtml(control: AreaControl): Html {
  const { name, id = name, value, rows, maxLength } = control
  // The language of what people write is unknown. A line break after the tag is not part of the text.
  return around(
    control,
    (described) =>
      html`<textarea id="${id}" name="${name}" rows="${rows}" lang="" dir="auto"${maxLength && html` maxlength="${maxLength}"`}${control.isRequired && html` required`}${control.isCode && html` class="code"`}${described}>
${value}</textarea>`,
  )
}

/** One of several choices. */
export interface Choice {
  readonly value: string
  readonly label: string | Html
  readonly hint?: string | undefined
  readonly isChosen: boolean
  /** The language of the label, if it is in another one than the page. */
  readonly language?: string | undefined
  /** Shown while it is chosen. */
  readonly opens?: Html | undefined
}

/** Writes a list to choose from with its label. */
export const selectHtml = (control: Control & { readonly choices: readonly Choice[] }): Html =>
  around(
    control,
    (described) =>
      html`<select id="${control.id ?? control.name}" name="${control.name}"${described}>${control.choices.map(
        ({ value, label, isChosen, language }) =>
          html`<option value="${value}"${language && html` lang="${language}"`}${isChosen && html` selected`}>${label}</option>`,
      )}</select>`,
  )

/** Writes choices as cards, with what the chosen one opens below them. */
export function cardsHtml({ name, label, problem, choices }: Control & { readonly choices: readonly Choice[] }): Html {
  return html`<fieldset><legend>${label}</legend>${problem && html`<p class="wrong">${problem}</p>`}${choices.map(
    ({ value, label: text, hint, isChosen: checked, opens }) =>
      html`<label class="tier"><input type="radio" name="${name}" value="${value}"${checked && html` checked`}${opens && html` class="opens"`}><b>${text}</b>${hint && html`<small>${hint}</small>`}</label>${opens && html`<div class="opened">${opens}</div>`}`,
  )}</fieldset>\n`
}

/** Writes a box to tick with its label. */
export const boxHtml = ({
  name,
  id = name,
  value,
  label,
  isChecked,
}: {
  readonly name: string
  readonly id?: string | undefined
  readonly value: string
  readonly label: string | Html
  readonly isChecked: boolean
}): Html =>
  html`<label class="check"><input type="checkbox" id="${id}" name="${name}" value="${value}"${isChecked && html` checked`}> <span>${label}</span></label>`

/** Writes an input for a file with its label. */
export const fileHtml = (control: Control & { readonly accept?: string | undefined }): Html =>
  around(
    control,
    (described) =>
      html`<input id="${control.id ?? control.name}" type="file" name="${control.name}"${control.accept && html` accept="${control.accept}"`}${control.isRequired && html` required`}${described}>`,
  )
