import { escapeHtml } from './escape-html.ts'

/** Escapes text for XML elements and quoted attributes, without characters that XML 1.0 forbids. */
export const xmlText = (text: string): string =>
  escapeHtml(text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''))
