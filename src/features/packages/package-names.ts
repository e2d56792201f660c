/** Packages whose modules have another name, by module. */
const packagesByModule: Readonly<Record<string, string>> = {
  attr: "attrs",
  bs4: "beautifulsoup4",
  Crypto: "pycryptodome",
  cv2: "opencv-python-headless",
  dateutil: "python-dateutil",
  distutils: "setuptools",
  docx: "python-docx",
  dotenv: "python-dotenv",
  fitz: "pymupdf",
  git: "gitpython",
  jose: "python-jose",
  jwt: "pyjwt",
  MySQLdb: "mysqlclient",
  OpenSSL: "pyopenssl",
  PIL: "pillow",
  pkg_resources: "setuptools",
  pptx: "python-pptx",
  psycopg2: "psycopg2-binary",
  serial: "pyserial",
  skimage: "scikit-image",
  sklearn: "scikit-learn",
  umap: "umap-learn",
  yaml: "pyyaml",
  zmq: "pyzmq",
};

/** Packages for data work whose modules have the same name. */
const wellKnown: ReadonlySet<string> = new Set(
  (
    "altair beautifulsoup4 black bokeh boto3 catboost dask datasets duckdb fastapi flask fsspec geopandas gensim h5py " +
    "httpx ipywidgets jax joblib keras lightgbm lxml matplotlib mlflow networkx nltk numba numpy openai openpyxl optuna " +
    "pandas plotly polars prophet pyarrow pydantic pymongo pyspark pytest requests ruff s3fs scipy seaborn shap spacy " +
    "sqlalchemy statsmodels streamlit sympy tabulate tensorflow torch torchvision tqdm transformers xarray xgboost"
  ).split(" "),
);

/** Modules of Python itself, which some systems or later versions leave out, and names that several packages share. */
const notInstallable: ReadonlySet<string> = new Set(
  (
    "aifc asynchat asyncore audioop binhex cgi cgitb chunk crypt curses dbm formatter google idlelib imghdr imp lib2to3 " +
    "mailcap msilib nis nntplib ossaudiodev parser pipes readline smtpd sndhdr spwd sqlite3 ssl sunau symbol telnetlib " +
    "tkinter turtle turtledemo uu venv xdrlib azure"
  ).split(" "),
);

/** A package that provides a module. */
export interface ProvidingPackage {
  /** Safe in a command line: letters, digits, and hyphens. */
  readonly name: string;
  /** The module. */
  readonly module: string;
  /** False if nothing but the module's name suggests it. */
  readonly isKnown: boolean;
}

/** By PEP 508, a name begins and ends with a letter or a digit. */
const nameForm = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$/;

/** The package that provides a top-level module; undefined if there is none that can be installed. */
export function packageOf(module: string): ProvidingPackage | undefined {
  const other = Object.hasOwn(packagesByModule, module) ? packagesByModule[module] : undefined;
  const name = other ?? module.replaceAll("_", "-");
  return notInstallable.has(module) || !nameForm.test(name)
    ? undefined
    : { name, module, isKnown: other !== undefined || wellKnown.has(name) };
}
