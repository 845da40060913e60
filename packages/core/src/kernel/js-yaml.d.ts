declare module 'js-yaml-3' {
  export const safeLoad: (text: string) => unknown
}
declare module 'js-yaml-4' {
  export const load: (text: string) => unknown
}
