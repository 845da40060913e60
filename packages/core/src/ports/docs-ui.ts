/** A file that the API reference page loads. */
export interface DocsUiFile {
  readonly type: string
  readonly read: () => Promise<Buffer>
}

/** An interface for the API reference, which replaces the page at `/docs`. */
export interface DocsUi {
  /** Scripts and styles by file name, served below `/docs/assets/`. */
  readonly files: Readonly<Record<string, DocsUiFile>>
  /** Names of the styles and scripts that the page loads. Scripts get the URL of the OpenAPI document as `data-description`. */
  readonly styles: readonly string[]
  readonly scripts: readonly string[]
}
