/** The first letter that has a direction, or a mark of one. */
const FIRST = /[\p{L}\u061C\u200E\u200F]/u
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061C\u200F]/u

/** The direction in which a text is read: that of its first letter. */
export const textDirection = (text: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.test(FIRST.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr'
