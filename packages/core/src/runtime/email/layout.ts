import { textOn } from '../../kernel/color.ts'
import { escapeHtml } from '../../kernel/escape-html.ts'
import { splitAtLinks } from '../../kernel/text-links.ts'
import { directionOf } from '../../model/languages.ts'
import { type Colors, completeTheme, type Theme } from '../../model/theme.ts'

// Email programs ignore style sheets in parts, so each element has its style, and only dark colours are in <style>.

const SERIF = "Charter,'Bitstream Charter','Sitka Text',Cambria,Georgia,serif"
const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"
const MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"

/** The colours of dark screens. */
const darkStyle = ({ paper, ink, soft, line, tint, accent }: Colors) =>
  [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    '@media(prefers-color-scheme:dark){',
    `.paper{background:${paper}!important;color:${ink}!important}`,
    `.ink{color:${ink}!important}.soft{color:${soft}!important}.accent{color:${accent}!important}`,
    `.line{border-color:${line}!important}.tint{background:${tint}!important;color:${ink}!important}`,
    `.button{background:${accent}!important;color:${textOn(accent)}!important}.mark{background:${accent}!important}`,
    '}',
  ].join('')

/** Email programs fill the preview after the preheader with the text that follows; these characters keep it out. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(40)

/** A paragraph of markup. Its direction is that of its first letters, because it may contain a text in another language. */
const paragraph = (markup: string) => `<p dir="auto" style="margin:0 0 1.1em">${markup}</p>`

export const paragraphHtml = (text: string): string => paragraph(escapeHtml(text))

/** A line of plain text below an email, with an optional address. */
export interface FooterLine {
  readonly text: string
  readonly link?: string | undefined
}

/** The parts of an email as HTML, for {@link layoutHtml}. */
export interface LayoutView {
  readonly language: string
  readonly subject: string
  readonly preheader: string
  /** The name of the service. */
  readonly service: string
  readonly logoUrl: string | undefined
  /** Markup. */
  readonly body: string
  readonly footer: readonly FooterLine[]
}

/** Creates the parts of emails in the colours of the host. */
export function createEmailLayout(theme: Theme) {
  const { light, dark } = completeTheme(theme)

  /** A text of several paragraphs, with its line breaks, and with links for its addresses. */
  const textHtml = (text: string): string =>
    text
      .trim()
      .split(/\n{2,}/)
      .map((part) =>
        paragraph(
          splitAtLinks(part)
            .map(({ text: piece, link }) =>
              link === undefined ? escapeHtml(piece).replaceAll('\n', '<br>') : linkHtml(link.text),
            )
            .join(''),
        ),
      )
      .join('\n')

  /** A link of an escaped address and an escaped text. */
  const anchor = (address: string, text: string) =>
    `<a href="${address}" class="accent" style="color:${light.accent};word-break:break-all">${text}</a>`

  /** A link to an address of this service, or of the host. */
  const linkHtml = (address: string, text: string = address): string => anchor(escapeHtml(address), escapeHtml(text))

  const buttonHtml = (link: string, label: string): string =>
    `<p style="margin:1.6em 0"><a href="${escapeHtml(link)}" class="button" style="display:inline-block;padding:.7em 1.4em;border-radius:999px;background:${light.accent};color:${textOn(light.accent)};font:600 15px ${SANS};text-decoration:none">${escapeHtml(label)}</a></p>`

  /** A small text above a link. */
  const smallLinkHtml = (text: string, link: string): string =>
    `<p class="soft" style="margin:0 0 1.1em;color:${light.soft};font:14px/1.5 ${SANS}">${escapeHtml(text)}<br>${linkHtml(link)}</p>`

  const codeHtml = (code: string): string =>
    `<p class="tint" dir="ltr" style="margin:1.4em 0;padding:.6em 1em;border-radius:8px;background:${light.tint};color:${light.ink};font:600 28px/1.3 ${MONO};letter-spacing:.15em;text-align:center">${escapeHtml(code)}</p>`

  function factsHtml(facts: readonly (readonly [string, string])[]): string {
    const cell = `class="line" style="padding:.4em 0;border-bottom:1px solid ${light.line};vertical-align:top`
    const rows = facts.map(
      ([name, value]) =>
        `<tr><td ${cell};width:35%"><span class="soft" style="color:${light.soft}">${escapeHtml(name)}</span></td><td ${cell};word-break:break-word" dir="auto">${escapeHtml(value)}</td></tr>`,
    )
    return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 1.4em;border-collapse:collapse;font:15px/1.5 ${SANS}">${rows.join('')}</table>`
  }

  const itemsHtml = (items: readonly { readonly text: string; readonly link?: string | undefined }[]): string =>
    `<ul style="margin:0 0 1.1em;padding:0 1.4em">${items
      .map(({ text, link }) => {
        const said = link === undefined ? escapeHtml(text) : linkHtml(link, text)
        return `<li dir="auto" style="margin:.4em 0">${said}</li>`
      })
      .join('')}</ul>`

  /** The layout that all emails share. It loads nothing but the logo of the host. */
  function layoutHtml({ language, subject, preheader, service, logoUrl, body, footer }: LayoutView): string {
    const direction = directionOf(language)
    const name = escapeHtml(service)
    const head =
      logoUrl === undefined
        ? `<span class="mark" style="display:inline-block;width:13px;height:13px;margin-inline-end:8px;border-radius:50%;background:${light.accent};vertical-align:-1px"></span>${name}`
        : `<img src="${escapeHtml(logoUrl)}" alt="${name}" height="40" style="height:40px;max-width:100%;border:0">`
    const lines = footer
      .map(({ text, link }) => (link === undefined ? escapeHtml(text) : linkHtml(link, text)))
      .map((line) => `<p dir="auto" style="margin:0 0 .4em">${line}</p>`)
      .join('')
    return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${darkStyle(dark)}</style>
</head>
<body class="paper" dir="${direction}" style="margin:0;padding:0;background:${light.paper};color:${light.ink};font:17px/1.65 ${SERIF}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(preheader)}${FILLER}</div>
<table class="paper" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${light.paper}">
<tr><td align="center" style="padding:24px 20px 40px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" dir="${direction}" style="max-width:36em;text-align:start">
<tr><td class="ink" style="padding:0 0 24px;color:${light.ink};font:600 15px ${SANS}">${head}</td></tr>
<tr><td class="ink" style="color:${light.ink};font:17px/1.65 ${SERIF};overflow-wrap:break-word">
${body}
</td></tr>
<tr><td class="soft line" style="padding:16px 0 0;border-top:1px solid ${light.line};color:${light.soft};font:13px/1.5 ${SANS}">${lines}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
  }

  /** A strip at the top of the body of an email, or before markup without a body. */
  function withStrip(markup: string, text: string): string {
    const strip = `<div style="padding:8px 20px;background:#ffd54a;color:#1c1b19;font:600 14px/1.4 ${SANS};text-align:center">${escapeHtml(text)}</div>`
    const body = /<body[^>]*>/i.exec(markup)?.[0] ?? ''
    const at = markup.indexOf(body) + body.length
    return `${markup.slice(0, at)}${strip}${markup.slice(at)}`
  }

  return { textHtml, buttonHtml, smallLinkHtml, codeHtml, factsHtml, itemsHtml, layoutHtml, withStrip }
}
