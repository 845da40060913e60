/** A file that the page of the API reference loads. */
export interface DocsUiFile {
  readonly type: string
  readonly read: () => Promise<Buffer>
}

/** The page of the API reference for people at `/docs`. `swaggerUi()` of `@eep/core/docs-ui` is one. */
export interface DocsUi {
  /** Scripts and styles by file name, served below `/docs/assets/`. */
  readonly files: Readonly<Record<string, DocsUiFile>>
  /** Names of the styles and scripts that the page loads. Scripts get the URL of the OpenAPI document as `data-description`. */
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
}
