import ts from 'typescript';

interface Project {
  /** Its `tsconfig.json`. */
  config: string;
  /** Absolute; all that the project includes, where none are named. */
  files?: readonly string[];
}

/**
 * The compiler, in the process of the tests. A file that several programs have in common is read once, and once more
 * where it has changed.
 */
export class Compiler {
  readonly #read = new Map<string, ts.SourceFile>();

  /** What `tsc` prints of a project, or of some of its files; empty where nothing is wrong. */
  problemsOf({ config, files }: Project): string {
    const parsed = ts.getParsedCommandLineOfConfigFile(config, {}, { ...ts.sys, onUnRecoverableConfigFileDiagnostic });
    if (!parsed) throw new Error(`${config} is missing`);
    return this.problems(files ?? parsed.fileNames, parsed.options, parsed.errors);
  }

  /** The same of files that are in no project, with options as `tsc` has them on its command line. */
  problemsWith(options: readonly string[], files: readonly string[]): string {
    const parsed = ts.parseCommandLine(options);
    return this.problems(files, parsed.options, parsed.errors);
  }

  private problems(files: readonly string[], options: ts.CompilerOptions, errors: readonly ts.Diagnostic[]): string {
    const host = this.#hostOf(options);
    const program = ts.createProgram(files, options, host);
    const diagnostics = [
      ...errors,
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...files.flatMap((name) => {
        const file = program.getSourceFile(name);
        return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
      }),
    ];
    return ts.formatDiagnostics(ts.sortAndDeduplicateDiagnostics(diagnostics), host);
  }

  #hostOf(options: ts.CompilerOptions): ts.CompilerHost {
    const host = ts.createCompilerHost(options);
    const { getSourceFile } = host;
    // While a program is made, files stay as they are: asking for them is most of the work.
    host.fileExists = remembering(host.fileExists);
    if (host.directoryExists) host.directoryExists = remembering(host.directoryExists);
    if (host.realpath) host.realpath = remembering(host.realpath);
    host.getSourceFile = (name, language, ...rest) => {
      const { languageVersion, impliedNodeFormat } = language as ts.CreateSourceFileOptions;
      const key = [name, languageVersion, impliedNodeFormat, options.configFilePath].join('\0');
      const known = this.#read.get(key);
      // What is installed does not change.
      if (known && (name.includes('/node_modules/') || known.text === ts.sys.readFile(name))) return known;
      const read = getSourceFile(name, language, ...rest);
      if (read) this.#read.set(key, read);
      return read;
    };
    return host;
  }
}

function remembering<Result>(ask: (path: string) => Result): (path: string) => Result {
  const known = new Map<string, Result>();
  return (path) => {
    if (!known.has(path)) known.set(path, ask(path));
    return known.get(path) as Result;
  };
}

function onUnRecoverableConfigFileDiagnostic(problem: ts.Diagnostic): never {
  throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, '\n'));
}
