/** The text of a notebook with one Python cell that has not been run. */
export function notebookText(source: string): string {
  return JSON.stringify({
    cells: [{ cell_type: "code", id: "a1", metadata: {}, execution_count: null, source, outputs: [] }],
    metadata: { kernelspec: { name: "python3", display_name: "Python 3" } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}
