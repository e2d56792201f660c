"""Data frames and files of data, as the data explorer reads them."""
