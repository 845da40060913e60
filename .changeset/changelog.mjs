// A changelog line is the text of its changeset. Packages share one version, so updates of each other say nothing.
export default {
  getReleaseLine: async ({ summary }) => `- ${summary.trim().replaceAll('\n', '\n  ')}`,
  getDependencyReleaseLine: async () => '',
}
